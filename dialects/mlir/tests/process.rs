//! A copy of a process ends alone. In an executable of its own: no other test may hold a lock when the copy is made.

use skriptnd_mlir::process::in_copy;

#[test]
fn a_copy_ends_alone() {
    assert_eq!(in_copy(|| 7).unwrap().code(), Some(7));
    assert_eq!(in_copy(|| std::process::abort()).unwrap().code(), None);
}
