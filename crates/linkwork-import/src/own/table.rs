//! An element while it is read or written. Every key is named once, for both directions; a value that a file does not
//! give keeps what the element had before it was read.

use super::fields::Fields;
use super::names::{Id, Names};
use super::tree::{Content, Entries};
use super::values::Value;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use std::mem::discriminant;

pub(super) type Done = Result<(), ImportError>;

/// The table of an element.
pub(super) enum Table<'t, 'a> {
    Read(&'t mut Fields<'a>),
    Write(&'t mut Entries),
}

impl Table<'_, '_> {
    /// A value that is not written where it is the default.
    pub fn or<T: Value>(&mut self, key: &'static str, value: &mut T, default: T) -> Done {
        match self {
            Table::Read(fields) => *value = fields.or(key, default)?,
            Table::Write(entries) => {
                entries.put_unless(key, value.content(), &default.content());
            }
        }
        Ok(())
    }

    /// A value that must be there.
    pub fn need<T: Value>(&mut self, key: &'static str, value: &mut T) -> Done {
        match self {
            Table::Read(fields) => *value = fields.need(key)?,
            Table::Write(entries) => entries.put(key, value.content()),
        }
        Ok(())
    }

    /// A value that may be absent.
    pub fn some<T: Value>(&mut self, key: &'static str, value: &mut Option<T>) -> Done {
        match self {
            Table::Read(fields) => *value = fields.value(key)?,
            Table::Write(entries) => {
                if let Some(value) = value {
                    entries.put(key, value.content());
                }
            }
        }
        Ok(())
    }

    /// A list that is not written where it is empty.
    pub fn list<T: Value>(&mut self, key: &'static str, list: &mut Vec<T>) -> Done {
        let mut given = (!list.is_empty()).then(|| std::mem::take(list));
        self.some(key, &mut given)?;
        *list = given.unwrap_or_default();
        Ok(())
    }

    /// A range [low, high].
    pub fn range(&mut self, key: &'static str, range: &mut Option<[f64; 2]>) -> Done {
        self.some(key, range)?;
        range.map_or(Ok(()), |range| self.ordered(key, range))
    }

    /// Refuses a range that is read the wrong way round.
    pub fn ordered(&self, key: &str, [low, high]: [f64; 2]) -> Done {
        let what = || format!("'{key}' is [{low}, {high}]");
        self.check(low <= high, key, what, "give the smaller number first")
    }

    /// A unit vector; one along it in the file is enough.
    pub fn direction(&mut self, key: &'static str, direction: &mut Vec3) -> Done {
        match self {
            Table::Read(fields) => {
                let given = fields.direction(key)?;
                *direction = fields.require(key, given)?;
                Ok(())
            }
            Table::Write(_) => self.need(key, direction),
        }
    }

    /// One of some words.
    pub fn word<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        value: &mut T,
        words: &[(&'static str, T)],
        default: Option<T>,
    ) -> Done {
        match self {
            Table::Read(fields) => {
                *value = match (fields.value::<String>(key)?, default) {
                    (None, Some(default)) => default,
                    (given, _) => {
                        let given = fields.require(key, given)?;
                        *one_of(fields, key, &given, words)?
                    }
                };
            }
            Table::Write(entries) => {
                let named = words.iter().find(|w| w.1 == *value);
                if let Some((name, _)) = named.filter(|_| default != Some(*value)) {
                    entries.put(key, Content::Text((*name).to_owned()));
                }
            }
        }
        Ok(())
    }

    /// `type`: the variant of a value. Reading starts with its sample.
    pub fn kind<T: Clone>(&mut self, value: &mut T, samples: &[(&'static str, T)]) -> Done {
        self.kind_by(value, samples, |a, b| discriminant(a) == discriminant(b))
    }

    /// `type`, where `same` says which sample is of the same type as the value.
    pub fn kind_by<T: Clone>(
        &mut self,
        value: &mut T,
        samples: &[(&'static str, T)],
        same: impl Fn(&T, &T) -> bool,
    ) -> Done {
        match self {
            Table::Read(fields) => {
                let name: String = fields.need("type")?;
                *value = one_of(fields, "type", &name, samples)?.clone();
            }
            Table::Write(entries) => {
                if let Some((name, _)) = samples.iter().find(|s| same(&s.1, value)) {
                    entries.put("type", Content::Text((*name).to_owned()));
                }
            }
        }
        Ok(())
    }

    /// The name of an element, where there is one.
    pub fn name<I: Id>(&mut self, key: &'static str, id: &mut Option<I>, names: &Names) -> Done {
        match self {
            Table::Read(fields) => *id = names.get(fields, key)?.map(I::of),
            Table::Write(entries) => {
                if let Some(id) = id {
                    entries.put(key, names.content(*id));
                }
            }
        }
        Ok(())
    }

    /// The name of an element.
    pub fn named<I: Id>(&mut self, key: &'static str, id: &mut I, names: &Names) -> Done {
        let mut given = Some(*id);
        self.name(key, &mut given, names)?;
        if let Table::Read(fields) = self {
            *id = fields.require(key, given)?;
        }
        Ok(())
    }

    /// The names of some elements.
    pub fn names<I: Id>(&mut self, key: &'static str, ids: &mut Vec<I>, names: &Names) -> Done {
        match self {
            Table::Read(fields) => *ids = names.list(fields, key)?,
            Table::Write(entries) => {
                if !ids.is_empty() {
                    let list = ids.iter().map(|id| names.content(*id));
                    entries.put(key, Content::from_iter(list));
                }
            }
        }
        Ok(())
    }

    /// A table, where there is one; reading starts with `blank`.
    pub fn table<T>(
        &mut self,
        key: &'static str,
        value: &mut Option<T>,
        blank: T,
        each: impl FnOnce(&mut Table, &mut T) -> Done,
    ) -> Done {
        match self {
            Table::Read(fields) => {
                *value = match fields.table(key)? {
                    None => None,
                    Some(table) => Some(read(table, blank, each)?),
                };
            }
            Table::Write(entries) => {
                if let Some(value) = value {
                    entries.put(key, write(value, each)?.into());
                }
            }
        }
        Ok(())
    }

    /// A table that stands for a value with defaults only where it is absent.
    pub fn part<T>(
        &mut self,
        key: &'static str,
        value: &mut T,
        each: impl FnOnce(&mut Table, &mut T) -> Done,
    ) -> Done {
        match self {
            Table::Read(fields) => {
                if let Some(mut table) = fields.table(key)? {
                    each(&mut Table::Read(&mut table), value)?;
                    table.finish()?;
                }
            }
            Table::Write(entries) => {
                let table = write(value, each)?;
                if !table.is_empty() {
                    entries.put(key, table.into());
                }
            }
        }
        Ok(())
    }

    /// A list of tables, not written where it has no entries.
    pub fn tables<T: Clone>(
        &mut self,
        key: &'static str,
        list: &mut Vec<T>,
        blank: &T,
        each: impl Fn(&mut Table, &mut T) -> Done,
    ) -> Done {
        match self {
            Table::Read(fields) => {
                let tables = fields.tables(key)?.into_iter();
                let items = tables.map(|table| read(table, blank.clone(), &each));
                *list = items.collect::<Result<_, _>>()?;
            }
            Table::Write(entries) => {
                let tables = list.iter_mut().map(|item| write(item, &each));
                let tables = tables.collect::<Result<Vec<_>, _>>()?;
                if tables.iter().any(|t| !t.is_empty()) {
                    entries.put(key, tables.into_iter().map(Content::from).collect());
                }
            }
        }
        Ok(())
    }

    /// Whether a file gives a key.
    pub fn has(&mut self, key: &'static str) -> bool {
        match self {
            Table::Read(fields) => fields.get(key).is_some(),
            Table::Write(_) => false,
        }
    }

    /// Refuses what is read unless the condition `holds`.
    pub fn check(
        &self,
        holds: bool,
        key: &str,
        what: impl FnOnce() -> String,
        remedy: impl Into<String>,
    ) -> Done {
        match self {
            Table::Read(fields) if !holds => {
                Err(fields.fail_at(key, Fault::BadValue, what(), remedy))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a number that is read unless it is positive.
    pub fn positive(&self, key: &str, value: Option<f64>, unit: &str) -> Done {
        let Some(value) = value else { return Ok(()) };
        let what = || format!("'{key}' is {value}");
        let remedy = format!("it must be positive{unit}");
        self.check(value > 0.0, key, what, remedy)
    }
}

/// Reads a table to its end.
pub(super) fn read<T>(
    mut fields: Fields,
    blank: T,
    each: impl FnOnce(&mut Table, &mut T) -> Done,
) -> Result<T, ImportError> {
    let mut value = blank;
    each(&mut Table::Read(&mut fields), &mut value)?;
    fields.finish()?;
    Ok(value)
}

/// Writes a table.
pub(super) fn write<T>(
    value: &mut T,
    each: impl FnOnce(&mut Table, &mut T) -> Done,
) -> Result<Entries, ImportError> {
    let mut entries = Entries::default();
    each(&mut Table::Write(&mut entries), value)?;
    Ok(entries)
}

fn one_of<'w, T>(
    fields: &Fields,
    key: &str,
    given: &str,
    words: &'w [(&'static str, T)],
) -> Result<&'w T, ImportError> {
    let found = words.iter().find(|w| w.0 == given);
    found.map(|w| &w.1).ok_or_else(|| {
        let names: Vec<_> = words.iter().map(|w| w.0).collect();
        let what = format!("'{key}' is '{given}'");
        let remedy = suggest::remedy(given, &names);
        fields.fail_at(key, Fault::BadValue, what, remedy)
    })
}
