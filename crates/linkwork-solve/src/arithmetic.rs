//! Two kinds of arithmetic for the inner loops, chosen once at start-up.
//!
//! A loop is written once, as a [`Routine`] that is generic in its [`Arithmetic`], and compiled twice: for any
//! processor of the target, and for processors with AVX2 and fused multiply-add. The two differ in the last digits of
//! their results. Each gives the same bits in every run. Summaries name the one in use beside the state hash.

use std::sync::OnceLock;

/// Environment variable that selects [`Plain`] arithmetic with the value `plain`.
const VARIABLE: &str = "LINKWORK_ARITHMETIC";

/// Multiplication and addition of an inner loop.
pub trait Arithmetic {
    /// a b + c.
    fn madd(a: f64, b: f64, c: f64) -> f64;
}

/// Product and sum are rounded separately.
pub struct Plain;

impl Arithmetic for Plain {
    #[inline(always)]
    fn madd(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Product and sum are rounded once. On processors without such an instruction this is a slow function of the C
/// library.
pub struct Fused;

impl Arithmetic for Fused {
    #[inline(always)]
    fn madd(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// A loop over many numbers.
pub trait Routine {
    /// What it returns.
    type Output;
    /// The loop. Mark it `#[inline(always)]`, like all functions it calls, so that it is compiled for the processor
    /// that [`run`] selected.
    fn run<A: Arithmetic>(self) -> Self::Output;
}

/// Runs the routine with the arithmetic of this processor.
#[inline]
pub fn run<R: Routine>(routine: R) -> R::Output {
    if !is_fused() {
        return routine.run::<Plain>();
    }
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: `is_fused` has found both features.
    return unsafe { run_fused(routine) };
    #[cfg(not(target_arch = "x86_64"))]
    routine.run::<Fused>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_fused<R: Routine>(routine: R) -> R::Output {
    routine.run::<Fused>()
}

/// Name of the arithmetic in use: `avx2-fma`, `neon` or `plain`. State hashes of two runs agree only if both used the
/// same. `LINKWORK_ARITHMETIC=plain` in the environment selects the arithmetic that all machines have.
pub fn arithmetic() -> &'static str {
    if !is_fused() {
        "plain"
    } else if cfg!(target_arch = "x86_64") {
        "avx2-fma"
    } else {
        "neon"
    }
}

#[inline]
fn is_fused() -> bool {
    static FUSED: OnceLock<bool> = OnceLock::new();
    *FUSED.get_or_init(|| has_fused() && std::env::var_os(VARIABLE).is_none_or(|v| v != "plain"))
}

#[cfg(target_arch = "x86_64")]
fn has_fused() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fused() -> bool {
    // Part of every 64-bit ARM.
    cfg!(target_arch = "aarch64")
}
