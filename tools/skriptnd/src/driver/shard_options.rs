//! `--shard`: among how many processes a model is shared, and along what.

use std::str::FromStr;

/// Along what processes share a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// Output channels.
    Channel,
    /// The batch.
    Batch,
}

/// What `--shard` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Along what.
    pub along: Along,
    /// How many processes there have to be; none for any number.
    pub processes: Option<usize>,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let (name, count) = text.split_once('=').map_or((text, None), |(name, count)| (name, Some(count)));
        let along = match name {
            "channel" => Along::Channel,
            "batch" => Along::Batch,
            _ => return Err(format!("expected `channel` or `batch`, found `{name}`")),
        };
        let number = |count: &str| {
            let number = count.parse().ok().filter(|number| (1..=MOST_PROCESSES).contains(number));
            number.ok_or(format!("expected a number of processes from 1 to {MOST_PROCESSES}, found `{count}`"))
        };
        Ok(Shard { along, processes: count.map(number).transpose()? })
    }
}

/// More than any machine has.
const MOST_PROCESSES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_read() {
        let read = |text: &str| text.parse::<Shard>();
        assert_eq!(read("channel"), Ok(Shard { along: Along::Channel, processes: None }));
        assert_eq!(read("batch=3"), Ok(Shard { along: Along::Batch, processes: Some(3) }));
        assert_eq!(read("rows").unwrap_err(), "expected `channel` or `batch`, found `rows`");
        for text in ["channel=0", "channel=", "batch=two"] {
            assert!(read(text).unwrap_err().starts_with("expected a number of processes from 1 to 1048576, found `"));
        }
    }
}
