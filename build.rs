//! Records what the binary is built from, for `tuzdyq --version`.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for path in [".git/HEAD", ".git/logs/HEAD"] {
        if std::path::Path::new(path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // A package unpacked inside another checkout must not take that one's commit.
    let is_checkout = std::path::Path::new(".git").exists();
    let commit = Command::new("git").args(["rev-parse", "--short=10", "HEAD"]).output().ok();
    let commit = commit.filter(|output| is_checkout && output.status.success());
    let commit = commit.and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo:rustc-env=TUZDYQ_COMMIT={}", commit.as_deref().map_or("unknown", str::trim));
    println!("cargo:rustc-env=TUZDYQ_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
