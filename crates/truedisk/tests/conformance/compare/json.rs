//! A reader of JSON that keeps what readers usually drop: the order of keys, double keys, how a
//! number was written.

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// In the order written; a key may stand twice.
    Object(Vec<(String, Node)>),
    /// A list.
    Array(Vec<Node>),
    /// A text, its escapes kept.
    Text(String),
    /// Any bare word: numbers, `true`, `nan`.
    Bare(String),
}

impl Node {
    /// The members of an object.
    pub fn members(&self) -> &[(String, Node)] {
        match self {
            Node::Object(members) => members,
            _ => &[],
        }
    }

    /// A member, or by number an element.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Object(members) => {
                members.iter().find(|(name, _)| name == key).map(|(_, node)| node)
            }
            Node::Array(list) => list.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// A figure by path; `*` sums over the elements of a list.
    pub fn figure(&self, path: &str) -> Option<f64> {
        let (first, rest) = match path.split_once('/') {
            Some((first, rest)) => (first, Some(rest)),
            None => (path, None),
        };
        let of = |node: &Node| match rest {
            Some(rest) => node.figure(rest),
            None => node.number(),
        };
        match (self, first) {
            (Node::Array(list), "*") => list.iter().map(of).sum(),
            _ => of(self.get(first)?),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Node::Bare(text) | Node::Text(text) => text.trim_end_matches('%').parse().ok(),
            _ => None,
        }
    }

    /// How it is written: what strict readers tell apart.
    pub fn class(&self) -> String {
        match self {
            Node::Object(_) => "object".to_string(),
            Node::Array(_) => "list".to_string(),
            Node::Text(_) => "text".to_string(),
            Node::Bare(text) => number_class(text),
        }
    }
}

/// `int`, `float.6` (six decimals), or the word itself.
pub fn number_class(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match digits.split_once('.') {
        None if is_number(digits) => "int".to_string(),
        Some((whole, part)) if is_number(whole) && is_number(part) => {
            format!("float.{}", part.len())
        }
        _ => text.to_string(),
    }
}

/// Reads one document at the start of `text`; gives it and the bytes it took.
///
/// # Errors
/// Where it broke off.
pub fn read(text: &str) -> Result<(Node, usize), String> {
    let mut reader = Reader { bytes: text.as_bytes(), place: 0 };
    let node = reader.value()?;
    Ok((node, reader.place))
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.place).is_some_and(u8::is_ascii_whitespace) {
            self.place += 1;
        }
        self.bytes.get(self.place).copied()
    }

    fn take(&mut self, byte: u8) -> Result<(), String> {
        if self.peek() == Some(byte) {
            self.place += 1;
            return Ok(());
        }
        let (line, rest) = self.where_();
        Err(format!("JSON line {line}: '{}' expected before '{rest}'", byte as char))
    }

    fn where_(&self) -> (usize, String) {
        let before = self.bytes.get(..self.place).unwrap_or_default();
        let rest = self.bytes.get(self.place..).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        (line, String::from_utf8_lossy(rest).chars().take(40).collect())
    }

    fn value(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => Ok(Node::Text(self.text()?)),
            _ => self.bare(),
        }
    }

    fn object(&mut self) -> Result<Node, String> {
        self.take(b'{')?;
        let mut members = Vec::new();
        while self.peek() != Some(b'}') {
            if !members.is_empty() {
                self.take(b',')?;
            }
            let key = self.text()?;
            self.take(b':')?;
            members.push((key, self.value()?));
        }
        self.take(b'}')?;
        Ok(Node::Object(members))
    }

    fn array(&mut self) -> Result<Node, String> {
        self.take(b'[')?;
        let mut list = Vec::new();
        while self.peek() != Some(b']') {
            if !list.is_empty() {
                self.take(b',')?;
            }
            list.push(self.value()?);
        }
        self.take(b']')?;
        Ok(Node::Array(list))
    }

    fn text(&mut self) -> Result<String, String> {
        self.take(b'"')?;
        let start = self.place;
        while let Some(byte) = self.bytes.get(self.place) {
            match byte {
                b'"' => {
                    let text = self.bytes.get(start..self.place).unwrap_or_default();
                    self.place += 1;
                    return Ok(String::from_utf8_lossy(text).into_owned());
                }
                b'\\' => self.place += 2,
                _ => self.place += 1,
            }
        }
        Err("JSON ends in a text".to_string())
    }

    fn bare(&mut self) -> Result<Node, String> {
        let start = self.place;
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        while self.bytes.get(self.place).is_some_and(inside) {
            self.place += 1;
        }
        let word = self.bytes.get(start..self.place).unwrap_or_default();
        if word.is_empty() {
            let (line, rest) = self.where_();
            return Err(format!("JSON line {line}: a value expected before '{rest}'"));
        }
        Ok(Node::Bare(String::from_utf8_lossy(word).into_owned()))
    }
}

#[test]
fn order_double_keys_and_numbers_are_kept() {
    let text = "{ \"b\" : 1, \"a\" : [ 1.500000, \"x\\\"y\" ], \"b\" : -nan } tail";
    let (node, taken) = read(text).unwrap();
    assert_eq!(text.get(taken..), Some(" tail"));
    let keys: Vec<&str> = node.members().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["b", "a", "b"]);
    assert_eq!(node.get("a").unwrap().get("0").unwrap().class(), "float.6");
    assert_eq!(node.figure("a/0"), Some(1.5));
    assert_eq!(node.members()[2].1.class(), "-nan");
    for broken in ["{", "{\"a\" 1}", "[1,]", "{\"a\":}", ""] {
        read(broken).unwrap_err();
    }
}

#[test]
fn figures_are_summed_over_lists() {
    let (node, _) = read("{\"jobs\":[{\"n\":2},{\"n\":3}]}").unwrap();
    let check = |path: &str, expected| assert_eq!(node.figure(path), expected);
    check("jobs/*/n", Some(5.0));
    check("jobs/1/n", Some(3.0));
    check("jobs/*/m", None);
}
