//! The program: reads the command line, starts the log, does the work, sets the exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use tuzdyq::cli::{self, Cli, Failure};

fn main() -> ExitCode {
    // To stderr, and off unless RUST_LOG says otherwise.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("off"));
    let result = cli::parse().and_then(|cli| cli.map_or(Ok(()), Cli::run));
    let Err(failure) = result else { return ExitCode::SUCCESS };
    let code = failure.exit_code();
    if code != 0 {
        let hint = if matches!(failure, Failure::Usage(_)) { " (see 'tuzdyq --help')" } else { "" };
        // Where stderr is closed too, the exit code must do.
        let _ = writeln!(io::stderr(), "tuzdyq: {failure}{hint}");
    }
    ExitCode::from(code)
}
