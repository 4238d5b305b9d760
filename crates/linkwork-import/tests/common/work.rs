//! What work costs, however busy the machine is: processor time of this thread, never wall time.

/// Processor time of this thread so far, s.
pub fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|t| t.parse::<f64>().ok());
    nanoseconds.expect("Linux tells the processor time of a thread") * 1e-9
}

/// Run something that may take at most `seconds` of processor time.
pub fn within<T>(seconds: f64, what: &str, run: impl FnOnce() -> T) -> T {
    let start = cpu_seconds();
    let result = run();
    let took = cpu_seconds() - start;
    assert!(took < seconds, "{what}: {took} s of processor time");
    result
}

/// Eight times the work may take at most 24 times the processor time: 8 is linear, 64 quadratic. Each is
/// the least of three runs, the first of which also fills caches and the allocator.
pub fn in_proportion(what: &str, size: usize, mut run: impl FnMut(usize)) {
    let mut least = |size: usize| {
        let mut one = || {
            let start = cpu_seconds();
            run(size);
            cpu_seconds() - start
        };
        one().min(one()).min(one())
    };
    let (small, large) = (least(size), least(8 * size));
    assert!(
        large < 24.0 * small,
        "{what}: {size} take {small} s, eight times as many {large} s"
    );
}
