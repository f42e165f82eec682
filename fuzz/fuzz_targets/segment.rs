#![no_main]
//! libFuzzer's entry to the target of the same name.

libfuzzer_sys::fuzz_target!(|data: &[u8]| clew_fuzz_targets::segment(data));
