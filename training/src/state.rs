//! What a training needs to go on after an interruption, in a file beside the network that is being made.

use std::fs;
use std::io;
use std::path::Path;

use tuzdyq::tools::files;

use crate::model::{Adam, Numbers};
use crate::{Epoch, Failure};

const MAGIC: &[u8; 8] = b"TUZDYQTS";

/// A training after some epochs.
pub struct State {
    /// The numbers of the network.
    pub numbers: Numbers,
    /// The memory of the steps.
    pub adam: Adam,
    /// What the epochs came to.
    pub epochs: Vec<Epoch>,
}

impl State {
    /// Writes the state; `task` says which training it is.
    pub fn write(&self, path: &Path, task: &str) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(task.len() as u64).to_le_bytes());
        bytes.extend_from_slice(task.as_bytes());
        bytes.extend_from_slice(&(self.epochs.len() as u64).to_le_bytes());
        let losses = self.epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
        bytes.extend(losses.flat_map(f64::to_le_bytes));
        bytes.extend_from_slice(&i64::from(self.adam.steps()).to_le_bytes());
        let lists = [self.numbers.list(), self.adam.mean(), self.adam.square()];
        bytes.extend(lists.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        files::write_atomically(path, &bytes)
    }

    /// Takes up the training that this file is of; false when there is no file.
    pub fn read(&mut self, path: &Path, task: &str) -> Result<bool, Failure> {
        let wrong = |what: &str| -> Failure {
            format!("{}: {what}; remove the file to begin anew", path.display()).into()
        };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(format!("{}: {error}", path.display()).into()),
        };
        let Some((body, sum)) = bytes.split_last_chunk::<4>() else { return Err(wrong("damaged")) };
        if !body.starts_with(MAGIC) || crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(wrong("damaged"));
        }
        let mut rest = &body[MAGIC.len()..];
        let length = take(&mut rest).map_or(0, u64::from_le_bytes) as usize;
        if rest.get(..length) != Some(task.as_bytes()) {
            return Err(wrong("the state of another training"));
        }
        rest = &rest[length..];
        self.fill(rest).ok_or_else(|| wrong("damaged"))?;
        Ok(true)
    }

    /// Reads what comes after the task; `None` when it is too short.
    fn fill(&mut self, mut rest: &[u8]) -> Option<()> {
        let epochs = u64::from_le_bytes(take(&mut rest)?);
        for _ in 0..epochs {
            let mut loss = || take(&mut rest).map(f64::from_le_bytes);
            self.epochs.push(Epoch { training: loss()?, validation: loss()? });
        }
        let steps = i64::from_le_bytes(take(&mut rest)?);
        self.adam.set_steps(steps as i32);
        let (mean, square) = self.adam.moments_mut();
        for list in [self.numbers.list_mut(), mean, square] {
            for number in list {
                *number = f32::from_le_bytes(take(&mut rest)?);
            }
        }
        rest.is_empty().then_some(())
    }
}

/// The next bytes.
fn take<const BYTES: usize>(rest: &mut &[u8]) -> Option<[u8; BYTES]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}
