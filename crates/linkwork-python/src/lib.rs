use pyo3::prelude::*;
/// x
#[pymodule]
fn _linkwork(_m: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
