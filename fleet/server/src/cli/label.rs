// SPDX-License-Identifier: Apache-2.0
//! Labels of identities: as text, and as QR codes with the text under them.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use qrcode::render::{svg, unicode::Dense1x2};
use qrcode::QrCode;
use serde_json::json;

use super::{existing, Failure};
use crate::verify::Identity;

#[derive(Args)]
pub(super) struct Labels {
    /// The identities [default: all that are enrolled]
    identities: Vec<Identity>,
    /// Print QR codes in characters, for a terminal or a printer of text
    #[arg(long)]
    qr: bool,
    /// Write each QR code as SVG to this folder, which is made; the identity is the name
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// Black on white, whatever colours the terminal has: many scanners do not read the opposite.
const PAPER: &str = "\x1b[30;107m";
const PLAIN: &str = "\x1b[0m";

/// How many modules of a picture are left for the text, and how large it is.
const TEXT_ROOM: usize = 6;
const TEXT_SIZE: f64 = 2.0;

/// How wide a picture is with its margin. A module is then 0.9 millimetres.
const MILLIMETRES: usize = 30;

pub(super) fn labels(store: &Path, wanted: Labels, json: bool) -> Result<ExitCode, Failure> {
    let Labels {
        identities,
        qr,
        svg,
    } = wanted;
    let identities = match identities.is_empty() {
        true => enrolled(store)?,
        false => identities,
    };
    if let Some(folder) = &svg {
        fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    }
    let mut out = io::stdout().lock();
    for identity in identities {
        let (label, scan, short) = (identity.label(), identity.scan_text(), identity.short());
        let code = code(&identity)?;
        let file = svg
            .as_ref()
            .map(|folder| folder.join(format!("{identity}.svg")));
        if let Some(file) = &file {
            fs::write(file, picture(&code, &label)).map_err(|error| named(file, &error))?;
        }
        if json {
            let mut row = json!({
                "identity": identity.to_string(), "label": label, "scan": scan, "short": short,
            });
            if qr {
                row["qr"] = characters(&code).into();
            }
            if let Some(file) = file {
                row["file"] = file.display().to_string().into();
            }
            writeln!(out, "{row}")?;
        } else if qr {
            let is_terminal = out.is_terminal();
            for line in characters(&code).lines() {
                match is_terminal {
                    true => writeln!(out, "{PAPER}{line}{PLAIN}")?,
                    false => writeln!(out, "{line}")?,
                }
            }
            writeln!(out, "{label}\n")?;
        } else {
            writeln!(out, "{label}  {scan}  {short}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn enrolled(store: &Path) -> Result<Vec<Identity>, Failure> {
    let fleet = existing(store)?;
    let enrolments = fleet.state().enrolments();
    let mut all: Vec<_> = enrolments.map(|(identity, _)| *identity).collect();
    all.sort();
    Ok(all)
}

fn named(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}

/// The smallest QR code of the identity, a seventh of which may be damaged (level M).
fn code(identity: &Identity) -> Result<QrCode, Failure> {
    QrCode::new(identity.scan_text()).map_err(|error| Failure(error.to_string()))
}

/// Two modules a character, one above the other; dark ones are ink.
fn characters(code: &QrCode) -> String {
    code.render::<Dense1x2>().build()
}

/// The code with the label under it, in two lines that are as long in every font.
fn picture(code: &QrCode, label: &str) -> String {
    let picture = code.render::<svg::Color>().module_dimensions(1, 1).build();
    let (_, picture) = picture.split_once("?>").unwrap_or_default();
    let margin = 4; // on each side, as the standard wants
    let width = code.width() + 2 * margin;
    let height = width + TEXT_ROOM;
    let (first, second) = label.split_at(label.len() / 2);
    let line = |text: &str, row: f64| {
        let (middle, y) = (width as f64 / 2.0, width as f64 + row);
        let length = code.width();
        format!(
            r#"<text x="{middle}" y="{y}" textLength="{length}" lengthAdjust="spacingAndGlyphs">{text}</text>"#
        )
    };
    format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "#,
            r#"width="{millimetres}mm" height="{tall}mm">"#,
            r##"<rect width="{width}" height="{height}" fill="#fff"/>{picture}"##,
            r#"<g font-family="monospace" font-size="{size}" text-anchor="middle">{one}{two}</g></svg>"#,
            "\n"
        ),
        width = width,
        height = height,
        millimetres = MILLIMETRES,
        tall = MILLIMETRES * height / width,
        picture = picture,
        size = TEXT_SIZE,
        one = line(first, 0.0),
        two = line(second, TEXT_SIZE * 1.2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: usize = 4;

    fn identity() -> Identity {
        "ae31580c8def1fbf0dd5ed28b72fb79b".parse().unwrap()
    }

    /// The result of another library for these dark modules.
    fn scanned(width: usize, is_dark: impl Fn(usize, usize) -> bool) -> String {
        let side = width * SCALE;
        let shade = |x: usize, y: usize| match is_dark(x / SCALE, y / SCALE) {
            true => 0,
            false => 255,
        };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, shade);
        let grids = image.detect_grids();
        grids[0].decode().unwrap().1
    }

    #[test]
    fn characters_are_scanned_as_the_identity() {
        let text = characters(&code(&identity()).unwrap());
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let is_dark = |x: usize, y: usize| match lines[y / 2][x] {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        };
        let width = lines[0].len();
        assert_eq!(scanned(width, is_dark), identity().scan_text());
    }

    #[test]
    fn a_picture_is_scanned_as_the_identity_and_shows_its_label() {
        let picture = picture(&code(&identity()).unwrap(), &identity().label());
        let path = picture.split("d=\"").nth(1).unwrap().split('"').next();
        // Each dark rectangle is M<x> <y>h<width>v<height>H<x>V<y>.
        let numbers = |part: &str| -> Vec<usize> {
            let parts = part.split(|c: char| !c.is_ascii_digit());
            parts.filter_map(|one| one.parse().ok()).collect()
        };
        let dark: Vec<Vec<usize>> = path.unwrap().split('M').skip(1).map(numbers).collect();
        let is_dark = |x, y| {
            let mut dark = dark.iter();
            dark.any(|one| {
                (one[0]..one[0] + one[2]).contains(&x) && (one[1]..one[1] + one[3]).contains(&y)
            })
        };
        assert_eq!(scanned(33, is_dark), identity().scan_text());
        let texts = picture.split("Glyphs\">").skip(1);
        let label: String = texts.filter_map(|one| one.split('<').next()).collect();
        assert_eq!(label, identity().label());
    }
}
