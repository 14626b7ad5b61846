//! Entries are found by target and kernel, appear whole, and are ignored where they are not what they were.

use super::entry::{RELEASE, read};
use super::{Cache, Entry, Ignored, Limits};
use crate::nest::search::choose;
use crate::nest::testing::{product, targets};
use crate::nest::text::print;
use crate::nest::{Nest, Space};
use crate::target::Target;
use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

fn entry(space: &Space, target: &Target) -> Entry {
    let nest = Nest { space: space.clone(), schedule: choose(space, target) };
    let text = print(&nest, &target.to_string(), &["main.sknd:2".into()]);
    Entry { text, us: 12.5, chosen_us: 15.25, threads: 2 }
}

#[test]
fn entries_are_those_of_a_target_and_of_a_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let (space, other) = (product(100, 96, 64), product(100, 96, 65));
    let all = targets();
    let caches: Vec<Cache> = all.iter().map(|target| Cache::new(folder.path(), target)).collect();
    caches[0].keep(&space.key(), &entry(&space, &all[0])).unwrap();
    let found = caches[0].find(&space.key()).unwrap().unwrap();
    assert_eq!(found.schedule, choose(&space, &all[0]));
    assert_eq!(found.check(&space, &all[0]), Ok(()));
    assert_eq!(caches[0].text(&space.key()), Some(entry(&space, &all[0]).text));
    assert_eq!(caches[0].text(&other.key()), None);
    assert_eq!(caches[0].find(&other.key()), Ok(None));
    assert!(caches[1..].iter().all(|cache| cache.find(&space.key()) == Ok(None)));
    caches[0].forget(&space.key()).unwrap();
    caches[0].forget(&space.key()).unwrap();
    assert_eq!(caches[0].find(&space.key()), Ok(None));
    assert_eq!(Cache::new(&folder.path().join("nowhere"), &all[0]).find(&space.key()), Ok(None));
}

#[test]
fn what_is_damaged_or_old_is_said() {
    let (space, target) = (product(100, 96, 64), &targets()[1]);
    let own = entry(&space, target);
    let whole = own.content();
    let begin = format!("// skriptnd {RELEASE} measured 12.500 us in place of 15.250 us, threads: 2; sum ");
    assert!(whole.starts_with(&begin), "{whole}");
    let reason = |content: &str| read(content, &space.key()).unwrap_err().reason;
    assert_eq!(reason(""), "it is damaged: it has one line");
    assert_eq!(reason("kernel {\n}\n"), "it is damaged: its first line says no release");
    assert_eq!(reason(&format!("// skriptnd {RELEASE} \n{}", own.text)), "it is damaged: its first line has no sum");
    for (at, _) in whole.char_indices().skip(begin.len() + 17) {
        assert!(read(&whole[..at], &space.key()).is_err(), "the first {at} bytes");
    }
    let changed = whole.replace("loop d0", "loop d1");
    assert_eq!(reason(&changed), "it is damaged: it is not what its sum says");
    let old = read(&own.content_of("0.0.1"), &space.key()).unwrap_err();
    assert!(old.is_old && old.reason == format!("it was measured with skriptnd 0.0.1, this is {RELEASE}"), "{old:?}");
    let wrong = Entry { text: format!("kernel {} {{\n  loop x;\n}}\n", space.key()), ..own.clone() };
    let expected = Ignored { place: (3, 8), reason: "expected a dimension such as `d0`".into(), is_old: false };
    assert_eq!(read(&wrong.content(), &space.key()), Err(expected));
    assert!(read(&whole, "0123456789abcdef").unwrap_err().reason.starts_with("it is of another kernel, "));
}

#[test]
fn files_that_are_no_text_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path(), &targets()[0]);
    let reason = |bytes: &[u8]| {
        fs::create_dir_all(cache.file("k").parent().unwrap()).unwrap();
        fs::write(cache.file("k"), bytes).unwrap();
        cache.find("k").unwrap_err().reason
    };
    assert_eq!(reason(&[0xff, 0xfe]), "it is no text");
    assert_eq!(reason(&vec![b' '; 1 << 20]), "it is too large for a schedule");
}

/// Entries below a folder.
fn count(folder: &Path) -> usize {
    let inner = fs::read_dir(folder).unwrap().flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
    inner.count()
}

#[test]
fn the_oldest_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let (space, all) = (product(100, 96, 64), targets());
    let caches: Vec<Cache> = all.iter().map(|target| Cache::new(folder.path(), target)).collect();
    let age = |file: &Path, hours: u64| {
        let then = SystemTime::now() - Duration::from_secs(3600 * hours);
        File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
    };
    for (hours, key) in ["a", "b", "c", "d", "e", "f"].into_iter().enumerate() {
        let cache = &caches[hours % 2];
        cache.keep(key, &entry(&space, &all[0])).unwrap();
        age(&cache.file(key), hours as u64);
    }
    let (left, kept) = (caches[0].file(".skriptnd-left").with_extension(""), caches[0].file(".skriptnd-new"));
    fs::write(&left, "half").unwrap();
    fs::write(&kept, "half").unwrap();
    age(&left, 30);
    caches[0].trim(Limits { entries: 4, bytes: u64::MAX });
    let stays: Vec<_> = ["a", "b", "c", "d", "e", "f"]
        .into_iter()
        .filter(|key| caches.iter().any(|it| it.file(key).exists()))
        .collect();
    assert_eq!(stays, ["a", "b", "c", "d"]);
    assert!(!left.exists() && kept.exists());
    let size = fs::metadata(caches[0].file("a")).unwrap().len();
    caches[1].trim(Limits { entries: usize::MAX, bytes: 2 * size });
    assert_eq!(count(folder.path()), 3);
    caches[1].trim(Limits::default());
    assert_eq!(count(folder.path()), 3);
}

#[test]
fn many_write_and_read_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (space, target) = (product(100, 96, 64), targets().remove(1));
    let cache = Cache::new(folder.path(), &target);
    let content = entry(&space, &target);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (cache, content, key) = (&cache, &content, space.key());
            scope.spawn(move || {
                for turn in 0..50 {
                    cache.keep(&key, &Entry { threads: 50 * writer + turn, ..content.clone() }).unwrap();
                    if turn % 10 == 9 {
                        cache.trim(Limits { entries: 1, bytes: u64::MAX });
                    }
                }
            });
        }
        for _ in 0..200 {
            // Whole or absent.
            assert!(cache.find(&space.key()).is_ok());
        }
    });
    assert!(cache.find(&space.key()).unwrap().is_some());
    assert_eq!(count(folder.path()), 1, "no file is left half");
}
