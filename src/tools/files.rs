//! Files that are there as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks that a file can be written at this place later, without touching what is there.
///
/// # Errors
/// When the folder cannot be written to, or there is something else than a file: a device or a pipe would be filled
/// with a text whose beginning may come much later.
pub fn check_place(path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("not a file"));
    }
    let draft = draft_of(path)?;
    File::create(&draft)?;
    fs::remove_file(draft)
}

/// Whether two paths lead to the same file, which is there.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|path| real(other) == Some(path))
}

/// Beside the file, because a file can be renamed only within its file system.
fn draft_of(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(draft))
}

/// The path with something more at the end of its name.
#[must_use]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Writes a file so that there is the old one or the new one at any moment, never a part: under a temporary name in
/// the same folder, synchronised, then renamed. A symbolic link is followed; a device or a pipe is written as it is.
///
/// # Errors
/// When the file cannot be written; the old one, if any, is untouched then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes);
    }
    let temporary = draft_of(&path)?;
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // There may be none; the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_not_replaced() {
        assert!(check_place(&std::env::temp_dir()).is_err());
    }
}
