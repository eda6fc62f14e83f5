//! Processor time, clock and memory of this process, printed as the benchmarks of kftrain print them.
use std::time::Instant;

pub struct Stamp {
    wall: Instant,
    cpu: f64,
}

fn usage() -> libc::rusage {
    // SAFETY: getrusage fills the structure that it is given.
    unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut u);
        u
    }
}

fn seconds(t: libc::timeval) -> f64 {
    t.tv_sec as f64 + 1e-6 * t.tv_usec as f64
}

pub fn now() -> Stamp {
    let u = usage();
    Stamp { wall: Instant::now(), cpu: seconds(u.ru_utime) + seconds(u.ru_stime) }
}

/// The most memory that the process has had so far.
pub fn peak_mb() -> f64 {
    usage().ru_maxrss as f64 / 1024.0
}

/// What malloc has given out.
pub fn live_mb() -> f64 {
    // SAFETY: both functions of the C library take no pointers.
    unsafe {
        libc::malloc_trim(0);
        let m = libc::mallinfo2();
        (m.uordblks + m.hblkhd) as f64 / 1e6
    }
}

/// Prints the work between two moments, and what held `items` objects.
pub fn print(what: &str, from: &Stamp, to: &Stamp, count: usize, peak_mb: f64, items: usize, live_mb: f64) {
    let (cpu, wall) = (to.cpu - from.cpu, to.wall.duration_since(from.wall).as_secs_f64());
    let (per, live_per_pod) = (cpu * 1e6 / count as f64, live_mb * 1e6 / items as f64);
    println!(
        r#"{{"what":"{what}","wall":{wall:.4},"cpu":{cpu:.4},"per":{per:.3},"maxrss_mb":{peak_mb:.1},"items":{items},"live_mb":{live_mb:.1},"live_per_pod":{live_per_pod:.0}}}"#
    );
}
