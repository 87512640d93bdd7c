// SPDX-License-Identifier: Apache-2.0
//! Lookups of endpoints and of what they offer (RFC 9176, section 6).

use std::time::Instant;

use super::links::Link;
use super::registrations::PROVEN;
use super::{Directory, Endpoint, Refused};

/// A pattern with the name of what it is compared with.
type Criterion<'a> = (&'a str, &'a str);

/// A query, sorted out.
struct Query<'a> {
    criteria: Vec<Criterion<'a>>,
    skip: usize,
    take: usize,
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
            "page" => page = Some(value.parse::<u32>().map_err(|_| Refused::Malformed)?),
            "count" => count = Some(value.parse::<u32>().map_err(|_| Refused::Malformed)?),
            _ => found.criteria.push((*name, *value)),
        }
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

    fn link_matches(&self, link: &Link, (name, pattern): Criterion<'_>) -> bool {
        match name {
            "href" => matches(pattern, &link.target),
            "anchor" => {
                let mut anchors = link.values("anchor");
                anchors.any(|anchor| matches(pattern, anchor)) || matches(pattern, &self.base)
            }
            // They say who an endpoint is, and links are what anybody wrote.
            "ep" | "d" | "base" => false,
            name if PROVEN.contains(&name) => false,
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
            target: format!("/rd/{location:x}"),
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

fn write(links: impl Iterator<Item = Link>, query: &Query<'_>) -> String {
    let page = links
        .skip(query.skip)
        .take(query.take)
        .map(|link| link.to_string());
    page.collect::<Vec<_>>().join(",")
}

impl Directory {
    /// The endpoints for which each criterion holds, of them or of one of their links.
    pub fn endpoints(&self, query: &[(&str, &str)], now: Instant) -> Result<String, Refused> {
        let query = sort_out(query)?;
        let found = self.alive(now).filter(|(location, one)| {
            query.criteria.iter().all(|criterion| match *criterion {
                ("href", pattern) if matches(pattern, &format!("/rd/{location:x}")) => true,
                ("rt", pattern) if matches(pattern, "core.rd-ep") => true,
                criterion => {
                    one.is_match(criterion)
                        || one.offers().any(|link| one.link_matches(&link, criterion))
                }
            })
        });
        Ok(write(
            found.map(|(location, one)| one.as_link(location)),
            &query,
        ))
    }

    /// The links for which each criterion holds, of them or of their endpoint.
    pub fn resources(&self, query: &[(&str, &str)], now: Instant) -> Result<String, Refused> {
        let query = sort_out(query)?;
        let all = self
            .alive(now)
            .flat_map(|(_, one)| one.offers().map(move |link| (one, link)));
        let found = all.filter(|(one, link)| {
            let mut criteria = query.criteria.iter();
            criteria.all(|criterion| one.is_match(*criterion) || one.link_matches(link, *criterion))
        });
        Ok(write(found.map(|(_, link)| link), &query))
    }
}
