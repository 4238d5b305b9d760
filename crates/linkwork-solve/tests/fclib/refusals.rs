//! What is not an FCLIB problem we know is refused with a reason and a remedy, and never panics.

use crate::body_graphs::{Graph, Random, mixed};
use crate::files::{FORMATS, Format, Layout, Temporary};
use crate::local;
use linkwork_solve::ImpulseSet;
use linkwork_solve::fclib::{FclibError, read, write_local};

fn whole(format: Format) -> Layout<'static> {
    local(format, |_, _| true)
}

/// The message of the error that reading `layout` ends in.
fn refusal(layout: &Layout) -> (FclibError, String) {
    let file = Temporary::new("refusal");
    layout.write(&file.0);
    let error = read(&file.0).unwrap_err();
    let message = error.to_string();
    assert!(message.contains(file.0.to_str().unwrap()), "{message}");
    (error, message)
}

#[test]
fn wrong_values_are_refused_by_dataset() {
    type Spoil = fn(&mut Layout);
    let spoil: &[(Spoil, &str)] = &[
        (|l| l.vector("q")[2] = f64::NAN, "fclib_local/vectors/q"),
        (
            |l| l.vector("mu")[1] = -0.5,
            "fclib_local/vectors/mu: μ of contact 1",
        ),
        (
            |l| l.vector("mu")[1] = f64::INFINITY,
            "fclib_local/vectors/mu",
        ),
        (|l| l.vector("q").truncate(5), "5 values where 6"),
        (|l| l.vector("mu").push(0.1), "6 values where 9"),
        (
            |l| l.matrix("W").x[3] = f64::NAN,
            "fclib_local/W/x: value 3",
        ),
        (|l| l.matrix("W").x[0] *= -1.0, "semi-definite"),
        (|l| l.matrix("W").size = (5, 6), "fclib_local/W"),
        (|l| l.matrix("W").size = (6, 7), "fclib_local/W"),
        (|l| l.matrix("W").size.0 = u32::MAX as usize, "must be ≥ 0"),
        (|l| l.matrix("W").i[1] = 6, "fclib_local/W/i: index 6"),
        (|l| l.matrix("W").i[1] = -1, "fclib_local/W/i: index -1"),
        (|l| l.matrix("W").i.truncate(2), "fclib_local/W"),
        (|l| l.matrix("W").x.truncate(2), "fclib_local/W"),
        (|l| l.matrix("W").nz = -3, "fclib_local/W/nz"),
        (
            |l| l.matrix("W").nz = 1000,
            "fclib_local/W/nz: 1000 triplets",
        ),
    ];
    for format in FORMATS {
        for (spoil, reason) in spoil {
            let mut layout = whole(format);
            spoil(&mut layout);
            let (error, message) = refusal(&layout);
            assert!(matches!(error, FclibError::Invalid { .. }), "{message}");
            assert!(message.contains(reason), "{format:?} {reason}: {message}");
        }
    }
    for broken in [
        vec![0, 4, 3, 6, 12, 20, 36],
        vec![0; 6],
        vec![-1; 7],
        vec![99; 7],
    ] {
        let mut layout = whole(Format::Rows);
        layout.matrix("W").p = broken;
        assert!(refusal(&layout).1.contains("fclib_local/W/p"));
    }
}

#[test]
fn what_is_missing_is_named() {
    for name in ["q", "mu"] {
        let mut layout = whole(Format::Rows);
        layout.vectors.retain(|v| v.0 != name);
        let (error, message) = refusal(&layout);
        assert!(matches!(error, FclibError::Missing { .. }), "{message}");
        assert!(
            message.contains(&format!("fclib_local/vectors/{name}")),
            "{message}"
        );
    }
    let mut layout = whole(Format::Rows);
    layout.matrices.clear();
    assert!(matches!(refusal(&layout).0, FclibError::Missing { .. }));
    // One of V and R without the other.
    let mut layout = whole(Format::Rows);
    let w = whole(Format::Rows).matrices.remove(0).1;
    layout.matrices.push(("V", w));
    assert!(refusal(&layout).1.contains("fclib_local/vectors/s"));
    let mut layout = whole(Format::Rows);
    layout.root = "molecules";
    let (error, message) = refusal(&layout);
    assert!(matches!(error, FclibError::NoProblem { .. }) && message.contains("molecules"));
}

#[test]
fn rolling_friction_and_the_plane_are_refused_by_name() {
    let mut layout = whole(Format::Rows);
    layout.root = "fclib_global_rolling";
    let rolling = |e: &FclibError| matches!(e, FclibError::RollingFriction { .. });
    assert!(rolling(&refusal(&layout).0));
    let mut layout = whole(Format::Rows);
    layout.spacedim = 5;
    assert!(rolling(&refusal(&layout).0));
    let mut layout = whole(Format::Rows);
    layout.vectors.push(("mu_r", vec![0.1, 0.1]));
    assert!(rolling(&refusal(&layout).0));
    let mut layout = whole(Format::Rows);
    layout.spacedim = 2;
    let (error, message) = refusal(&layout);
    assert!(matches!(error, FclibError::Dimension { spacedim: 2, .. }) && message.contains("3"));
}

#[test]
fn a_mass_matrix_without_inverse_is_refused() {
    let mut global = crate::Global::random(4);
    global.m[(2, 2)] = -1.0;
    let (_, message) = refusal(&global.layout(Format::Rows));
    assert!(
        message.contains("fclib_global/M: not positive definite"),
        "{message}"
    );
}

#[test]
fn what_is_no_hdf5_file_is_refused() {
    let file = Temporary::new("text");
    std::fs::write(&file.0, "not HDF5").unwrap();
    assert!(matches!(read(&file.0), Err(FclibError::NotHdf5 { .. })));
    std::fs::write(&file.0, "").unwrap();
    assert!(matches!(read(&file.0), Err(FclibError::NotHdf5 { .. })));
    let folder = std::env::temp_dir();
    assert!(matches!(read(&folder), Err(FclibError::Io { .. })));
    assert!(matches!(
        read(&folder.join("nowhere.hdf5")),
        Err(FclibError::Io { .. })
    ));
}

#[test]
fn a_truncated_file_never_panics() {
    let file = Temporary::new("truncated");
    whole(Format::Rows).write(&file.0);
    let bytes = std::fs::read(&file.0).unwrap();
    let complete = read(&file.0).unwrap().problem;
    for length in 0..bytes.len() {
        std::fs::write(&file.0, &bytes[..length]).unwrap();
        // A truncated tail without content does no harm.
        if let Ok(read) = read(&file.0) {
            assert_eq!(read.problem, complete, "cut at {length} of {}", bytes.len());
        }
    }
}

#[test]
fn a_file_with_any_byte_changed_never_panics() {
    let file = Temporary::new("bytes");
    let mut random = Random(3);
    for format in FORMATS {
        whole(format).write(&file.0);
        let bytes = std::fs::read(&file.0).unwrap();
        for _ in 0..1500 {
            let mut broken = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(broken.len());
                broken[at] = random.below(256) as u8;
            }
            std::fs::write(&file.0, &broken).unwrap();
            if let Ok(read) = read(&file.0) {
                assert_eq!(read.problem.check(), Ok(()));
            }
        }
    }
}

#[test]
fn what_fclib_cannot_say_is_not_written() {
    let file = Temporary::new("inexpressible");
    let mut graph = Graph::new(1, 2);
    graph.contact(None, 0, 0.5);
    graph.angle(ImpulseSet::NonNegative, None, 1);
    let limit = graph.problem();
    let mut graph = Graph::new(1, 2);
    graph.hinge(None, 0, false);
    let joints = graph.problem();
    let cases = [
        (limit, "1 rows of kind NonNegative"),
        (mixed(3, 6).problem(), "Interval"),
        (joints, "without contacts"),
    ];
    for (problem, reason) in cases {
        let error = write_local(&file.0, &problem, "").unwrap_err();
        let message = error.to_string();
        assert!(
            matches!(error, FclibError::NotExpressible { .. }),
            "{message}"
        );
        assert!(
            message.contains(reason) && message.contains("JSON"),
            "{message}"
        );
        assert!(!file.0.exists());
    }
}
