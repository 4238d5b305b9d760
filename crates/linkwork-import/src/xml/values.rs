//! Attribute values by type. Numbers must be finite.

use super::{Attribute, Element};
use crate::suggest;
use crate::{Fault, ImportError, Place};
use linkwork::math::Vec3;

/// Most numbers in one attribute or text.
const MAX_NUMBERS: usize = 10_000_000;

impl Element {
    /// One number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        Ok(self.fixed::<1>(name)?.map(|[x]| x))
    }

    /// One number that must be there.
    pub fn need_number(&self, name: &str) -> Result<f64, ImportError> {
        self.require(name)?;
        Ok(self.number(name)?.unwrap_or_default())
    }

    /// One number, at least 0.
    pub fn not_negative(&self, name: &str) -> Result<Option<f64>, ImportError> {
        let value = self.number(name)?;
        if let (Some(x), Some(a)) = (value, self.attribute(name))
            && x < 0.0
        {
            return Err(a.bad("must not be negative", "give zero or a positive number"));
        }
        Ok(value)
    }

    /// Three numbers.
    pub fn vec3(&self, name: &str) -> Result<Option<Vec3>, ImportError> {
        Ok(self.fixed::<3>(name)?.map(Vec3::from))
    }

    /// Exactly N numbers.
    pub fn fixed<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, ImportError> {
        let Some(a) = self.attribute(name) else {
            return Ok(None);
        };
        let values = a.numbers()?;
        let have = values.len();
        let array = values.try_into().map_err(|_| {
            let text = format!("has {have} number(s), {N} needed");
            a.bad(&text, &format!("give {N} number(s)"))
        })?;
        Ok(Some(array))
    }

    /// Any number of numbers.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImportError> {
        self.attribute(name).map(Attribute::numbers).transpose()
    }

    /// At most N numbers, in place of the first ones of `default`.
    pub fn up_to<const N: usize>(
        &self,
        name: &str,
        mut default: [f64; N],
    ) -> Result<[f64; N], ImportError> {
        if let Some(a) = self.attribute(name) {
            let given = a.numbers()?;
            let Some(first) = default.get_mut(..given.len()) else {
                let text = format!("has {} numbers, at most {N} needed", given.len());
                return Err(a.bad(&text, &format!("give at most {N} numbers")));
            };
            first.copy_from_slice(&given);
        }
        Ok(default)
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, ImportError> {
        let Some(a) = self.attribute(name) else {
            return Ok(None);
        };
        match a.value.trim().parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(a.bad("is not a whole number", "give a whole number")),
        }
    }

    /// One of a list of words, as its index.
    pub fn choice(&self, name: &str, words: &[&str]) -> Result<Option<usize>, ImportError> {
        let Some(a) = self.attribute(name) else {
            return Ok(None);
        };
        match words.iter().position(|w| *w == a.value) {
            Some(index) => Ok(Some(index)),
            None => Err(a.bad("is not known here", &suggest::remedy(&a.value, words))),
        }
    }

    /// `true` or `false`.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, ImportError> {
        Ok(self.choice(name, &["false", "true"])?.map(|i| i == 1))
    }

    /// The numbers of the element's text.
    pub fn text_numbers(&self) -> Result<Vec<f64>, ImportError> {
        parse_numbers(&self.text, &format!("<{}>", self.name), &self.place)
    }
}

impl Attribute {
    /// An error about a value with an unknown name.
    pub fn unresolved(&self, why: &str, remedy: &str) -> ImportError {
        ImportError {
            fault: Fault::Unresolved,
            ..self.bad(why, remedy)
        }
    }

    /// An error about the value.
    pub fn bad(&self, why: &str, remedy: &str) -> ImportError {
        let shown: String = self.value.chars().take(60).collect();
        let what = format!("{}=\"{shown}\" {why}", self.name);
        ImportError::new(&self.place, Fault::BadValue, what, remedy)
    }

    /// All numbers of the value.
    pub fn numbers(&self) -> Result<Vec<f64>, ImportError> {
        parse_numbers(
            &self.value,
            &format!("attribute '{}'", self.name),
            &self.place,
        )
    }
}

fn parse_numbers(text: &str, what: &str, place: &Place) -> Result<Vec<f64>, ImportError> {
    let mut values = Vec::new();
    for word in text.split_whitespace() {
        let value = word.parse::<f64>().ok().filter(|x| x.is_finite());
        let Some(value) = value else {
            let shown: String = word.chars().take(40).collect();
            let what = format!("{what} contains '{shown}', which is not a finite number");
            let remedy = "give numbers separated by blanks";
            return Err(ImportError::new(place, Fault::BadValue, what, remedy));
        };
        values.push(value);
        if values.len() > MAX_NUMBERS {
            let what = format!("{what} has more than {MAX_NUMBERS} numbers");
            let remedy = "move the data to a file of its own";
            return Err(ImportError::new(place, Fault::TooLarge, what, remedy));
        }
    }
    Ok(values)
}
