// SPDX-License-Identifier: Apache-2.0
//! Bytes as hexadecimal digits, as JSON has them, and decimal numbers.

use std::str::FromStr;

/// Digits of bytes.
pub fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number that is written in decimal digits only. The parsers of the standard library accept a plus sign, too.
pub fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let has_digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
    has_digits_only.then(|| text.parse().ok()).flatten()
}

/// The bytes that digits say; nothing if they do not.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let byte = |pair: &[u32]| (pair[0] << 4 | pair[1]) as u8;
    Some(digits.chunks(2).map(byte).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_digits_only() {
        for (text, number) in [("0", 0u8), ("007", 7), ("255", 255)] {
            assert_eq!(decimal(text), Some(number));
        }
        for text in ["", "+5", "-5", "5 ", " 5", "5_0", "0x5", "256", "\u{665}"] {
            assert_eq!(decimal::<u8>(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_have_two_digits_each() {
        let (data, text) = ([0x00, 0x0f, 0xf0, 0xab], "000ff0ab");
        assert_eq!(hex(&data), text);
        assert_eq!(unhex(text), Some(data.to_vec()));
        assert_eq!(unhex(&text.to_uppercase()), Some(data.to_vec()));
        assert_eq!(unhex(""), Some(Vec::new()));
        for text in ["0", "abc", "0g", "-1", "0x", " 1", "\u{fc}0"] {
            assert_eq!(unhex(text), None, "{text}");
        }
    }
}
