// SPDX-License-Identifier: Apache-2.0
//! Lookups of endpoints and of their links (RFC 9176, section 6).

use std::cell::Cell;
use std::time::Instant;

use super::links::Link;
use super::registrations::{segment, PROVEN};
use super::{Directory, Endpoint, Refused};
use crate::verify::digits::decimal;
use crate::verify::Identity;

/// Of one lookup: each is compared with each link.
const CRITERIA_MAX: usize = 8;

/// A pattern with the name of the attribute to compare.
type Criterion<'a> = (&'a str, &'a str);

/// The result of a lookup, and its work.
pub struct Found {
    pub links: String,
    /// How much was looked at: a link counts as so many endpoints, because it is put together.
    pub looked_at: usize,
}

/// How many endpoints or topics are looked at in the time that it takes to put a link together.
pub const LOOKS_PER_LINK: usize = 8;

/// The work so far.
#[derive(Default)]
struct Looks(Cell<usize>);

impl Looks {
    fn endpoint(&self) {
        self.0.set(self.0.get() + 1);
    }

    fn links(&self, count: usize) {
        self.0.set(self.0.get() + LOOKS_PER_LINK * count);
    }
}

/// A query, sorted out.
struct Query<'a> {
    criteria: Vec<Criterion<'a>>,
    skip: usize,
    take: usize,
}

fn number(text: &str) -> Result<u32, Refused> {
    decimal(text).ok_or(Refused::Malformed)
}

fn sort_out<'a>(query: &[(&'a str, &'a str)]) -> Result<Query<'a>, Refused> {
    let mut found = Query {
        criteria: Vec::new(),
        skip: 0,
        take: usize::MAX,
    };
    let (mut page, mut count) = (None, None);
    for (name, value) in query {
        match *name {
            "page" => page = Some(number(value)?),
            "count" => count = Some(number(value)?),
            _ => found.criteria.push((*name, *value)),
        }
    }
    if found.criteria.len() > CRITERIA_MAX {
        return Err(Refused::Malformed);
    }
    match (page, count) {
        (page, Some(count)) if count > 0 => {
            found.take = count as usize;
            found.skip = (page.unwrap_or(0) as usize).saturating_mul(found.take);
        }
        (None, None) => {}
        _ => return Err(Refused::Malformed),
    }
    Ok(found)
}

fn matches(pattern: &str, value: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => value.starts_with(prefix),
        None => value == pattern,
    }
}

fn path(location: u64) -> String {
    format!("/rd/{}", segment(location))
}

/// Whether it concerns only endpoints: any client can write links, which do not
/// identify an endpoint.
fn is_of_endpoint((name, _): Criterion<'_>) -> bool {
    matches!(name, "ep" | "d" | "base") || PROVEN.contains(&name)
}

/// An absolute reference; a path of ours stays one of ours.
fn resolve(base: &str, target: &str) -> String {
    if !target.starts_with('/') {
        return target.to_string();
    }
    let origin = base.find("://").map_or(0, |at| at + 3);
    let end = base[origin..]
        .find('/')
        .map_or(base.len(), |at| at + origin);
    format!("{}{target}", &base[..end])
}

impl Endpoint {
    fn is_match(&self, (name, pattern): Criterion<'_>) -> bool {
        match name {
            "ep" => matches(pattern, &self.name),
            "d" => self
                .sector
                .as_deref()
                .is_some_and(|sector| matches(pattern, sector)),
            "base" => matches(pattern, &self.base),
            name => {
                let mut of_name = self.attributes.iter().filter(|(one, _)| one == name);
                of_name.any(|(_, value)| matches(pattern, value))
            }
        }
    }

    /// Whether each criterion holds for one of its links.
    fn offers_each(&self, criteria: &[Criterion<'_>], looks: &Looks) -> bool {
        if criteria.is_empty() || criteria.iter().any(|one| is_of_endpoint(*one)) {
            return criteria.is_empty();
        }
        let links: Vec<Link> = self.offers().collect();
        looks.links(links.len() * criteria.len());
        let mut criteria = criteria.iter();
        criteria.all(|one| links.iter().any(|link| self.link_matches(link, *one)))
    }

    fn link_matches(&self, link: &Link, criterion: Criterion<'_>) -> bool {
        let (name, pattern) = criterion;
        match name {
            _ if is_of_endpoint(criterion) => false,
            "href" => matches(pattern, &link.target),
            "anchor" => {
                let mut anchors = link.values("anchor");
                anchors.any(|anchor| matches(pattern, anchor)) || matches(pattern, &self.base)
            }
            name => link.values(name).any(|value| matches(pattern, value)),
        }
    }

    fn as_link(&self, location: u64) -> Link {
        let mut attributes = vec![("ep".to_string(), Some(self.name.clone()))];
        if let Some(sector) = &self.sector {
            attributes.push(("d".to_string(), Some(sector.clone())));
        }
        attributes.push(("base".to_string(), Some(self.base.clone())));
        attributes.push(("rt".to_string(), Some("core.rd-ep".to_string())));
        let others = self.attributes.iter();
        attributes.extend(others.map(|(name, value)| (name.clone(), Some(value.clone()))));
        Link {
            target: path(location),
            attributes,
        }
    }

    /// Its links, resolved, and its topic, which is ours.
    fn offers(&self) -> impl Iterator<Item = Link> + '_ {
        let links = self.links.iter().map(|link| self.resolved(link));
        links.chain(self.topic.iter().cloned())
    }

    fn resolved(&self, link: &Link) -> Link {
        let attributes = link.attributes.iter().map(|(name, value)| {
            let value = match value {
                Some(anchor) if name == "anchor" => Some(resolve(&self.base, anchor)),
                other => other.clone(),
            };
            (name.clone(), value)
        });
        Link {
            target: resolve(&self.base, &link.target),
            attributes: attributes.collect(),
        }
    }
}

impl Query<'_> {
    /// The requested part of the result, as text.
    fn write<T>(
        &self,
        found: impl Iterator<Item = T>,
        as_link: impl Fn(T) -> Link,
        looks: &Looks,
    ) -> Found {
        let page = found.skip(self.skip).take(self.take);
        let links: Vec<String> = page.map(|one| as_link(one).to_string()).collect();
        looks.links(links.len());
        Found {
            links: links.join(","),
            looked_at: looks.0.get(),
        }
    }
}

impl Directory {
    /// The endpoints for which each criterion holds, of them or of one of their links. Those that a signature
    /// proves are found if `is_in` says that their identity is still let in.
    pub fn endpoints(
        &self,
        query: &[(&str, &str)],
        now: Instant,
        is_in: impl Fn(&Identity) -> bool,
    ) -> Result<Found, Refused> {
        let query = sort_out(query)?;
        let looks = Looks::default();
        let found = self.alive(now).filter(|(location, one)| {
            looks.endpoint();
            let is_open = |criterion: &Criterion<'_>| match *criterion {
                ("href", pattern) if matches(pattern, &path(*location)) => false,
                ("rt", pattern) if matches(pattern, "core.rd-ep") => false,
                criterion => !one.is_match(criterion),
            };
            let open: Vec<_> = query.criteria.iter().copied().filter(is_open).collect();
            one.offers_each(&open, &looks) && one.signer.as_ref().is_none_or(&is_in)
        });
        Ok(query.write(found, |(location, one)| one.as_link(location), &looks))
    }

    /// The links for which each criterion holds, of them or of their endpoint; `is_in` as above.
    pub fn resources(
        &self,
        query: &[(&str, &str)],
        now: Instant,
        is_in: impl Fn(&Identity) -> bool,
    ) -> Result<Found, Refused> {
        let query = sort_out(query)?;
        let looks = Looks::default();
        let endpoints = self.alive(now).filter(|(_, one)| {
            looks.endpoint();
            let mut of_endpoint = query.criteria.iter().filter(|one| is_of_endpoint(**one));
            of_endpoint.all(|criterion| one.is_match(*criterion))
                && one.signer.as_ref().is_none_or(&is_in)
        });
        let all = endpoints.flat_map(|(_, one)| one.offers().map(move |link| (one, link)));
        let found = all.filter(|(one, link)| {
            looks.links(query.criteria.len().max(1));
            let mut criteria = query.criteria.iter();
            criteria.all(|criterion| one.is_match(*criterion) || one.link_matches(link, *criterion))
        });
        Ok(query.write(found, |(_, link)| link, &looks))
    }
}
