#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tuzdyq_fuzz::records::check(bytes));
