//! Height field assets: inline numbers, MuJoCo's binary files and PNG pictures.

use super::mesh::{asset_name, file_of};
use super::scene::Scene;
use super::tree::Part;
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::model::Geometry;
use std::rc::Rc;
use std::sync::Arc;

/// Most samples of a height field.
const MAX_SAMPLES: usize = 16_000_000;

/// A height field, read.
#[derive(Debug)]
pub(super) struct HeightAsset {
    pub geometry: Geometry,
}

/// Values as the file has them, row 0 at least y.
struct Samples {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

/// The asset of a geom, read on first use.
pub(super) fn asset<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    geom: &Element,
) -> Result<Rc<HeightAsset>, ImportError> {
    let name = geom.require("hfield")?;
    let key = (part.at.document, name.to_owned());
    if let Some(known) = scene.hfields.get(&key) {
        return Ok(known.clone());
    }
    let document = part.document(scene);
    let mut fields = document.section("asset").filter(|e| e.name == "hfield");
    let Some(e) = fields.find(|e| asset_name(e).as_deref() == Some(name)) else {
        let a = geom.attribute("hfield").expect("required above");
        return Err(a.bad("is no height field of the assets", "declare it in <asset>"));
    };
    e.require("size")?;
    let [x, y, top, _] = e.fixed::<4>("size")?.unwrap_or_default();
    if !(x > 0.0 && y > 0.0 && top > 0.0) {
        let what = "the size of a height field must be positive";
        return Err(e.error(
            Fault::BadValue,
            what,
            "give half extents and elevation in m",
        ));
    }
    let samples = match e.attribute("file") {
        None => inline(e)?,
        Some(a) => {
            let file = file_of(scene.assets, document, a)?;
            let bytes = scene.assets.read(&file, &a.place)?;
            let inside = Place::file(&file);
            let named = file
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("png"));
            if named || bytes.starts_with(b"\x89PNG") {
                picture(&bytes, &inside)?
            } else {
                binary(&bytes, &inside)?
            }
        }
    };
    let asset = Rc::new(HeightAsset {
        geometry: samples.geometry([2.0 * x, 2.0 * y], top),
    });
    scene.hfields.insert(key, asset.clone());
    Ok(asset)
}

fn inline(e: &Element) -> Result<Samples, ImportError> {
    let count = |name: &str| {
        e.require(name)?;
        Ok(e.integer(name)?.unwrap_or(0).max(0) as usize)
    };
    let (rows, columns) = (count("nrow")?, count("ncol")?);
    let values = match e.numbers("elevation")? {
        Some(values) => values,
        // Without data it is flat, to be filled at run time.
        None if rows.saturating_mul(columns) <= MAX_SAMPLES => vec![0.0; rows * columns],
        None => Vec::new(),
    };
    // The first row of the text is the one farthest along y, as one would draw it.
    let values: Vec<f64> = values
        .chunks(columns.max(1))
        .rev()
        .flatten()
        .copied()
        .collect();
    checked(rows, columns, values, &e.place)
}

fn binary(bytes: &[u8], place: &Place) -> Result<Samples, ImportError> {
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).and_then(|b| b.try_into().ok());
    let count = |i: usize| word(i).map_or(0, |b| i32::from_le_bytes(b).max(0) as usize);
    let (rows, columns) = (count(0), count(1));
    let there = bytes.len().saturating_sub(8) / 4;
    let values = (0..there).filter_map(|i| word(i + 2));
    let values = values.map(|b| f64::from(f32::from_le_bytes(b))).collect();
    checked(rows, columns, values, place)
}

fn picture(bytes: &[u8], place: &Place) -> Result<Samples, ImportError> {
    let bad = |e: png::DecodingError| {
        let what = format!("the image cannot be read: {e}");
        ImportError::new(place, Fault::Syntax, what, "save it again as a PNG file")
    };
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(bad)?;
    let Some(size) = reader
        .output_buffer_size()
        .filter(|s| *s <= 4 * MAX_SAMPLES)
    else {
        return Err(too_large(place));
    };
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(bad)?;
    let channels = info.color_type.samples();
    let (rows, columns) = (info.height as usize, info.width as usize);
    // The first channel; the picture's upper edge is farthest along y.
    let lines = pixels.chunks(info.line_size).take(rows);
    let values = lines.rev().flat_map(|line| {
        let line = line.chunks(channels).take(columns);
        line.map(|p| f64::from(p[0]))
    });
    checked(rows, columns, values.collect(), place)
}

fn too_large(place: &Place) -> ImportError {
    let what = format!("a height field of more than {MAX_SAMPLES} samples");
    ImportError::new(place, Fault::TooLarge, what, "reduce its resolution")
}

fn checked(
    rows: usize,
    columns: usize,
    values: Vec<f64>,
    place: &Place,
) -> Result<Samples, ImportError> {
    let Some(count) = rows.checked_mul(columns).filter(|c| *c <= MAX_SAMPLES) else {
        return Err(too_large(place));
    };
    let finite = values.iter().all(|v| v.is_finite());
    if rows < 2 || columns < 2 || count != values.len() || !finite {
        let have = values.len();
        let what =
            format!("a height field of {rows} rows and {columns} columns with {have} values");
        let remedy = "give at least 2 of each and a finite value for every sample";
        return Err(ImportError::new(place, Fault::BadValue, what, remedy));
    }
    Ok(Samples {
        rows,
        columns,
        values,
    })
}

impl Samples {
    /// Heights from 0 to `top`, as MuJoCo normalises them.
    fn geometry(&self, size: [f64; 2], top: f64) -> Geometry {
        let least = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self
            .values
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let span = if most > least { most - least } else { 1.0 };
        let mut heights = Vec::with_capacity(self.values.len());
        for column in 0..self.columns {
            for row in 0..self.rows {
                let value = self.values[row * self.columns + column];
                heights.push((value - least) / span * top);
            }
        }
        Geometry::HeightField {
            nx: self.columns,
            ny: self.rows,
            heights: Arc::new(heights),
            size,
        }
    }
}
