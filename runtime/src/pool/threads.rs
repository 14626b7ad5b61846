//! Which threads a session uses.

use super::{Pool, PoolFunctions, cores, registry};
use std::sync::{Arc, OnceLock};

/// The threads that share the work of runs.
#[derive(Debug, Clone)]
pub struct Threads(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// So many; the pool is made when the first run needs it.
    Own { count: usize, pool: OnceLock<Arc<Pool>> },
    /// Those of the program.
    Host(PoolFunctions),
}

// SAFETY: who gives the functions of a program vouches that they may be called from the thread that uses the session.
unsafe impl Send for Threads {}
// SAFETY: likewise.
unsafe impl Sync for Threads {}

impl Threads {
    /// As many as the processor runs at once, as far as this process may use them.
    pub fn all() -> Threads {
        Threads::count(0)
    }

    /// So many, the one that runs the model among them; 0 are all.
    pub fn count(count: usize) -> Threads {
        let count = if count == 0 { cores() } else { count };
        Threads(Kind::Own { count, pool: OnceLock::new() })
    }

    /// Those of the program that runs the model.
    ///
    /// # Safety
    /// As long as it is used, the functions must be there and do what `skriptnd.h` asks of them, from each thread that runs the model.
    pub unsafe fn of_host(functions: PoolFunctions) -> Threads {
        Threads(Kind::Host(functions))
    }

    /// What compiled code is given; none where one thread does all.
    pub(crate) fn functions(&self) -> Option<PoolFunctions> {
        match &self.0 {
            Kind::Own { count: 0 | 1, .. } => None,
            Kind::Own { count, pool } => {
                let pool = pool.get_or_init(|| registry::shared(*count));
                // A process that was forked makes its own, which the registry keeps.
                Some(if pool.is_here() { pool.functions() } else { registry::shared(*count).functions() })
            }
            Kind::Host(functions) => Some(*functions),
        }
    }
}
