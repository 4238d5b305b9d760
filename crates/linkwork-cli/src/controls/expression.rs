//! Arithmetic with names: numbers, + − * / ^, comparisons, functions, names with or without quotes.

use linkwork_import::suggest;

/// Parentheses and functions within each other at most.
const DEEPEST: usize = 100;

/// An expression whose names are numbers of type `N`.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression<N> {
    /// A number.
    Number(f64),
    /// Meaning of a name.
    Name(N),
    /// A function of other expressions.
    Call(Function, Vec<Expression<N>>),
}

/// A function of so many numbers.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    name: &'static str,
    arguments: usize,
    value: fn(&[f64]) -> f64,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

macro_rules! functions {
    ($($name:literal $count:literal $value:expr;)*) => {
        &[$(Function { name: $name, arguments: $count, value: $value }),*]
    };
}

const FUNCTIONS: &[Function] = functions! {
    "sin" 1 |x| x[0].sin();
    "cos" 1 |x| x[0].cos();
    "tan" 1 |x| x[0].tan();
    "asin" 1 |x| x[0].asin();
    "acos" 1 |x| x[0].acos();
    "atan" 1 |x| x[0].atan();
    "atan2" 2 |x| x[0].atan2(x[1]);
    "exp" 1 |x| x[0].exp();
    "log" 1 |x| x[0].ln();
    "sqrt" 1 |x| x[0].sqrt();
    "abs" 1 |x| x[0].abs();
    "sign" 1 |x| if x[0] == 0.0 { 0.0 } else { x[0].signum() };
    "floor" 1 |x| x[0].floor();
    "mod" 2 |x| x[0].rem_euclid(x[1]);
    "min" 2 |x| least(x[0], x[1]);
    "max" 2 |x| -least(-x[0], -x[1]);
    "clamp" 3 |x| least(-least(-x[0], -x[1]), x[2]);
    "if" 3 |x| if x[0].is_nan() { f64::NAN } else if x[0] != 0.0 { x[1] } else { x[2] };
};

/// Operators of two numbers, by how strongly they bind.
const OPERATORS: &[&[(&str, Function)]] = &[
    &[
        ("<=", operator("<=", |x| truth(x[0] <= x[1]))),
        (">=", operator(">=", |x| truth(x[0] >= x[1]))),
        ("==", operator("==", |x| truth(x[0] == x[1]))),
        ("!=", operator("!=", |x| truth(x[0] != x[1]))),
        ("<", operator("<", |x| truth(x[0] < x[1]))),
        (">", operator(">", |x| truth(x[0] > x[1]))),
    ],
    &[
        ("+", operator("+", |x| x[0] + x[1])),
        ("-", operator("-", |x| x[0] - x[1])),
    ],
    &[
        ("*", operator("*", |x| x[0] * x[1])),
        ("/", operator("/", |x| x[0] / x[1])),
    ],
];

const POWER: Function = operator("^", |x| x[0].powf(x[1]));
const NEGATIVE: Function = Function {
    name: "negative",
    arguments: 1,
    value: |x| -x[0],
};

const fn operator(name: &'static str, value: fn(&[f64]) -> f64) -> Function {
    Function {
        name,
        arguments: 2,
        value,
    }
}

/// The smaller number; NaN if one is.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

impl<N> Expression<N> {
    /// Its value, with those of the names.
    pub fn value(&self, of: &mut dyn FnMut(&N) -> f64) -> f64 {
        match self {
            Self::Number(x) => *x,
            Self::Name(name) => of(name),
            Self::Call(function, arguments) => {
                let mut values = [0.0; 3];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = argument.value(of);
                }
                (function.value)(&values)
            }
        }
    }
}

/// Reads expressions; `name` returns the value of a name, or why it has none.
pub struct Parser<'a, N> {
    rest: &'a str,
    depth: usize,
    name: &'a dyn Fn(&str) -> Result<N, String>,
}

impl<'a, N> Parser<'a, N> {
    /// Read all of a text.
    pub fn parse(
        text: &'a str,
        name: &'a dyn Fn(&str) -> Result<N, String>,
    ) -> Result<Expression<N>, String> {
        let mut parser = Self {
            rest: text,
            depth: 0,
            name,
        };
        let expression = parser.binary(0)?;
        match parser.skip() {
            "" => Ok(expression),
            rest => Err(format!("'{rest}' is not expected here")),
        }
    }

    fn skip(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn eat(&mut self, what: &str) -> bool {
        match self.skip().strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize) -> Result<Expression<N>, String> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some((_, f)) = operators.iter().find(|(sign, _)| self.eat(sign)) {
            left = Expression::Call(*f, vec![left, self.binary(level + 1)?]);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression<N>, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!(
                "more than {DEEPEST} expressions are within each other"
            ));
        }
        let found = if self.eat("-") {
            // −2^2 is −(2^2).
            Expression::Call(NEGATIVE, vec![self.unary()?])
        } else {
            let base = self.atom()?;
            if self.eat("^") {
                Expression::Call(POWER, vec![base, self.unary()?])
            } else {
                base
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn atom(&mut self) -> Result<Expression<N>, String> {
        let rest = self.skip();
        let Some(first) = rest.chars().next() else {
            return Err("a number or a name is missing at the end".to_owned());
        };
        if self.eat("(") {
            let inner = self.binary(0)?;
            return if self.eat(")") {
                Ok(inner)
            } else {
                Err("a ')' is missing".to_owned())
            };
        }
        if first.is_ascii_digit() || first == '.' {
            return self.number();
        }
        let Some((word, rest, quoted)) = word(rest)? else {
            return Err(format!(
                "'{first}' is no number, no name and no parenthesis; quote names with such characters"
            ));
        };
        self.rest = rest;
        if !quoted && self.eat("(") {
            return self.call(word);
        }
        (self.name)(word).map(Expression::Name)
    }

    fn number(&mut self) -> Result<Expression<N>, String> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(&c) = bytes.get(end) {
            let exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
            let part =
                c.is_ascii_alphanumeric() || c == b'.' || exponent && (c == b'-' || c == b'+');
            if !part {
                break;
            }
            end += 1;
        }
        let text = &self.rest[..end];
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        let number = number.ok_or_else(|| format!("'{text}' is not a finite number"))?;
        self.rest = &self.rest[end..];
        Ok(Expression::Number(number))
    }

    fn call(&mut self, name: &str) -> Result<Expression<N>, String> {
        let Some(function) = FUNCTIONS.iter().find(|f| f.name == name) else {
            let known: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).collect();
            let remedy = suggest::remedy(name, &known);
            return Err(format!("there is no function '{name}'; {remedy}"));
        };
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.binary(0)?);
            if self.eat(")") {
                break;
            }
            if !self.eat(",") {
                return Err(format!("a ')' is missing after the arguments of {name}"));
            }
        }
        if arguments.len() != function.arguments {
            let (have, want) = (arguments.len(), function.arguments);
            let plural = if want == 1 { "" } else { "s" };
            return Err(format!("{name} takes {want} argument{plural}, not {have}"));
        }
        Ok(Expression::Call(*function, arguments))
    }
}

/// A name at the start of a text, the rest of the text, and whether the name is quoted; `None` if there is none.
pub fn word(text: &str) -> Result<Option<(&str, &str, bool)>, String> {
    for quote in ['"', '\''] {
        if let Some(rest) = text.strip_prefix(quote) {
            let (name, rest) = rest
                .split_once(quote)
                .ok_or("a name in quotes has no end".to_owned())?;
            return Ok(Some((name, rest, true)));
        }
    }
    let begins = |c: char| c.is_alphabetic() || c == '_';
    let goes_on = |c: char| c.is_alphanumeric() || "_.:".contains(c);
    if !text.starts_with(begins) {
        return Ok(None);
    }
    let end = text.find(|c| !goes_on(c)).unwrap_or(text.len());
    Ok(Some((&text[..end], &text[end..], false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let name = |name: &str| match name {
            "t" => Ok(2.0),
            "left-hip" => Ok(10.0),
            "imu.z" => Ok(-1.0),
            _ => Err(format!("no {name}")),
        };
        Parser::parse(text, &name).map(|e| e.value(&mut |x| *x))
    }

    #[test]
    fn expressions_have_the_values_of_mathematics() {
        let cases = [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 2 / 2 - 1 - 1", 0.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("1e-3 * 1.5E+3", 1.5),
            ("-t + \"left-hip\"", 8.0),
            ("'left-hip' * imu.z", -10.0),
            ("sin(0) + cos(0)", 1.0),
            ("min(t, 1) + max(t, 1) + clamp(9, 0, 4)", 7.0),
            ("if(t > 1, 5, 6) + if(t <= 1, 5, 6)", 11.0),
            ("(t == 2) + (t != 2) + (t >= 2) + (t < 2)", 2.0),
            ("atan2(1, 0) * 2 - acos(-1)", 0.0),
            ("mod(-1, 3) + floor(1.9) + sign(-4) + abs(-2)", 4.0),
            ("sqrt(16) + log(exp(3))", 7.0),
        ];
        for (text, expected) in cases {
            let found = value(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert!((found - expected).abs() < 1e-14, "{text} = {found}");
        }
    }

    #[test]
    fn no_function_hides_a_value_that_is_not_a_number() {
        for text in [
            "min(0/0, 1)",
            "min(1, 0/0)",
            "max(0/0, 1)",
            "max(1, 0/0)",
            "clamp(0/0, 0, 1)",
            "if(0/0, 1, 2)",
            "sign(0/0)",
        ] {
            assert!(value(text).unwrap().is_nan(), "{text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused_with_a_reason() {
        let deep = format!("{}1{}", "(".repeat(5000), ")".repeat(5000));
        let minus = "-".repeat(5000) + "1";
        let cases = [
            ("", "missing at the end"),
            ("1 +", "missing at the end"),
            ("1 2", "'2' is not expected"),
            ("(1", "')' is missing"),
            ("sin(1", "')' is missing"),
            ("sine(1)", "did you mean 'sin'?"),
            ("sin(1, 2)", "takes 1 argument, not 2"),
            ("1.2.3", "not a finite number"),
            ("1e999", "not a finite number"),
            ("2 * @", "quote names"),
            ("\"open", "has no end"),
            ("nothing", "no nothing"),
            (deep.as_str(), "within each other"),
            (minus.as_str(), "within each other"),
        ];
        for (text, reason) in cases {
            let error = value(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
