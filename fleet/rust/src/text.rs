// SPDX-License-Identifier: Apache-2.0
//! Texts of others, before they are shown.

/// Whether a character moves a cursor, colours a screen, or orders what follows it from right to left.
pub fn is_wild(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Without characters that make others look like what they are not.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if is_wild(c) { '\u{fffd}' } else { c })
        .collect()
}

/// How much of a reason is shown, in characters.
const REASON_MAX: usize = 200;

/// The begin of a reason from elsewhere, plain: short, because other lines follow.
pub fn reason(text: &str) -> String {
    match text.char_indices().nth(REASON_MAX) {
        Some((end, _)) => plain(&text[..end]) + "\u{2026}",
        None => plain(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_short_and_plain() {
        let long = reason(&"\u{202e}".repeat(REASON_MAX + 1));
        assert_eq!(long, "\u{fffd}".repeat(REASON_MAX) + "\u{2026}");
        assert_eq!(reason("b\u{fc}sy"), "b\u{fc}sy");
    }

    #[test]
    fn what_is_shown_has_no_character_that_changes_others() {
        assert_eq!(
            plain("a\x1b\n\u{85}\u{2028}b"),
            "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}b"
        );
        for order in ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}'] {
            assert_eq!(plain(&format!("{order}txt.exe")), "\u{fffd}txt.exe");
        }
        let text = "Gew\u{e4}chshaus \u{2013} \u{62f}\u{641}\u{64a}\u{200d}";
        assert_eq!(plain(text), text);
    }
}
