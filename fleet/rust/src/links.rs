// SPDX-License-Identifier: Apache-2.0
//! Link-format (RFC 6690), in the form to which RFC 9176 limits it: each reference is a full URI or begins
//! with a slash.

use std::fmt;

/// A target with its attributes, in their order. Attributes of the same name may repeat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// A path, or a full URI.
    pub target: String,
    /// Names, and values where there are some.
    pub attributes: Vec<(String, Option<String>)>,
}

/// That text is no link-format.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLinks;

/// Reads any number of links.
pub fn parse(text: &str) -> Result<Vec<Link>, BadLinks> {
    let mut links = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (link, behind) = parse_link(rest)?;
        links.push(link);
        rest = match behind.strip_prefix(',') {
            Some("") => return Err(BadLinks),
            Some(next) => next,
            None if behind.is_empty() => behind,
            None => return Err(BadLinks),
        };
    }
    Ok(links)
}

fn parse_link(text: &str) -> Result<(Link, &str), BadLinks> {
    let (target, mut rest) = text
        .strip_prefix('<')
        .and_then(|text| text.split_once('>'))
        .ok_or(BadLinks)?;
    if !is_reference(target) {
        return Err(BadLinks);
    }
    let mut link = Link {
        target: target.to_string(),
        attributes: Vec::new(),
    };
    while let Some(attribute) = rest.strip_prefix(';') {
        let end = attribute.find(['=', ';', ',']).unwrap_or(attribute.len());
        let (name, behind) = attribute.split_at(end);
        if !is_name(name) {
            return Err(BadLinks);
        }
        let (value, behind) = match behind.strip_prefix('=') {
            Some(value) => parse_value(value)?,
            None => (None, behind),
        };
        link.attributes.push((name.to_string(), value));
        rest = behind;
    }
    Ok((link, rest))
}

fn parse_value(text: &str) -> Result<(Option<String>, &str), BadLinks> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        let (value, rest) = text.split_at(end);
        if value.is_empty() || value.contains(['"', '\\', ' ', '<', '>']) || !is_printable(value) {
            return Err(BadLinks);
        }
        return Ok((Some(value.to_string()), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' if is_printable(&value) => return Ok((Some(value), &quoted[at + 1..])),
            '"' => return Err(BadLinks),
            '\\' => value.push(characters.next().ok_or(BadLinks)?.1),
            other => value.push(other),
        }
    }
    Err(BadLinks)
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// True for the name of an attribute.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"-_.*".contains(&c))
}

/// True for a reference of the limited form.
pub fn is_reference(text: &str) -> bool {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let is_uri = text.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c))
    });
    (is_path || is_uri) && !text.contains(['<', '>', '"', ' ']) && is_printable(text)
}

impl Link {
    /// The values of an attribute; those that are lists are taken apart (RFC 6690, section 3.1).
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let is_list = matches!(name, "rt" | "if" | "ct" | "rel");
        self.attributes
            .iter()
            .filter(move |(one, _)| one == name)
            .flat_map(move |(_, value)| {
                let value = value.as_deref().unwrap_or_default();
                let separator = if is_list { ' ' } else { '\0' };
                value.split(separator)
            })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{}>", self.target)?;
        for (name, value) in &self.attributes {
            match value {
                Some(value) if !value.is_empty() && value.bytes().all(|c| c.is_ascii_digit()) => {
                    write!(formatter, ";{name}={value}")?;
                }
                Some(value) => {
                    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
                    write!(formatter, ";{name}=\"{escaped}\"")?;
                }
                None => write!(formatter, ";{name}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "",
            "</a>",
            "</a>;obs,</b>;ct=40;rt=\"x y\"",
            "</a>;title=\"\";sz=\"1a\"",
            "<a+b-c.d9://x>;x-y_z.*=0",
            "<coap://[2001:db8::1]/t>;title=\"a, b; <c> \\\"d\\\\\"",
        ] {
            let links = parse(text).unwrap();
            let again: Vec<String> = links.iter().map(Link::to_string).collect();
            assert_eq!(again.join(","), text);
        }
        assert_eq!(parse("</a>;rt=x").unwrap()[0].to_string(), "</a>;rt=\"x\"");
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for text in [
            "a",
            "<a>",
            "<//a>",
            "</a",
            "</a>,",
            "</a>x",
            "</a>;",
            "</a>;=1",
            "</a>;rt=",
            "</a>;rt=\"x",
            "</a>;rt=\"x\\",
            "</a>;rt=a b",
            "</a>;rt=\"a\nb\"",
            "</a\"b>",
            "<:///a>",
            "</a>,,</b>",
            "</a></b>",
            "</a>;rt=x</b>",
            "</a>;n@me=1",
            "</a>;rt=\\",
            "</\u{7f}>",
            "<1a://b>",
            "<a_b://c>",
            "<a://>",
        ] {
            assert_eq!(parse(text), Err(BadLinks), "{text}");
        }
    }

    #[test]
    fn lists_are_matched_one_by_one() {
        let link = &parse("</a>;rt=\"x y\";title=\"p q\"").unwrap()[0];
        assert_eq!(link.values("rt").collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(link.values("title").collect::<Vec<_>>(), ["p q"]);
    }
}
