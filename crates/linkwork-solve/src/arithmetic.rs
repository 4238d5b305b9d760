//! Two kinds of arithmetic for the inner loops, chosen once at start-up.
//!
//! A loop is written once, as a [`Routine`] that is generic in its [`Arithmetic`], and compiled twice: for any processor of
//! the target, and for those with AVX2 and fused multiply-add. Results differ in the last digits between the two,
//! and are the same bits in every run of one of them; summaries name the one in use beside the hash of the state.
//! Loops over [`Wide`](crate::Wide) numbers are compiled a third time, for processors with AVX-512: the same operations, and so the same bits as with AVX2.

use std::sync::OnceLock;

/// The environment variable that asks for [`Plain`] arithmetic everywhere, by the value `plain`, or for no vectors beyond those of AVX2, by `avx2`.
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
    if way() == Way::Plain {
        return routine.run::<Plain>();
    }
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: `way` has found both features.
    return unsafe { run_fused(routine) };
    #[cfg(not(target_arch = "x86_64"))]
    routine.run::<Fused>()
}

/// Run a loop over [`Wide`](crate::Wide) numbers: with the bits of [`run`], and with the widest vectors of this processor.
#[inline]
pub fn run_wide<R: Routine>(routine: R) -> R::Output {
    #[cfg(target_arch = "x86_64")]
    if way() == Way::Widest {
        #[allow(unsafe_code)]
        // SAFETY: `way` has found all features.
        return unsafe { run_widest(routine) };
    }
    run(routine)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_fused<R: Routine>(routine: R) -> R::Output {
    routine.run::<Fused>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn run_widest<R: Routine>(routine: R) -> R::Output {
    routine.run::<Fused>()
}

/// Name of the arithmetic in use: `avx2-fma`, `neon` or `plain`. States of two runs are the same bits only if
/// it is the same in both. `LINKWORK_ARITHMETIC=plain` in the environment asks for the one that all machines have. AVX-512 is `avx2-fma` too: it gives the
/// same bits; `LINKWORK_ARITHMETIC=avx2` goes without it.
pub fn arithmetic() -> &'static str {
    if way() == Way::Plain {
        "plain"
    } else if cfg!(target_arch = "x86_64") {
        "avx2-fma"
    } else {
        "neon"
    }
}

/// What loops are compiled for that this process runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    /// AVX2 and fused multiply-add, or NEON.
    Fused,
    /// AVX-512 besides.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "not on this processor")
    )]
    Widest,
}

#[inline]
fn way() -> Way {
    static WAY: OnceLock<Way> = OnceLock::new();
    *WAY.get_or_init(|| {
        let asked = std::env::var_os(VARIABLE);
        let is = |name: &str| asked.as_ref().is_some_and(|asked| asked == name);
        match best() {
            _ if is("plain") => Way::Plain,
            Way::Widest if is("avx2") => Way::Fused,
            best => best,
        }
    })
}

#[cfg(target_arch = "x86_64")]
fn best() -> Way {
    let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let widest = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (fused, widest) {
        (false, _) => Way::Plain,
        (true, false) => Way::Fused,
        (true, true) => Way::Widest,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn best() -> Way {
    // Fused multiply-add is part of every 64-bit ARM.
    if cfg!(target_arch = "aarch64") {
        Way::Fused
    } else {
        Way::Plain
    }
}
