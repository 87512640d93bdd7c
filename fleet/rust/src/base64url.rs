// SPDX-License-Identifier: Apache-2.0
//! Base64 for URLs without padding (RFC 4648, section 5), as the directory writes keys.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as text.
pub fn encode(data: &[u8]) -> String {
    let mut text = String::with_capacity(data.len() * 4 / 3 + 1);
    for chunk in data.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            text.push(char::from(
                ALPHABET[(bits >> (18 - 6 * digit)) as usize & 63],
            ));
        }
    }
    text
}

/// The bytes of a text, if [`encode`] would write it so.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut data = Vec::with_capacity(text.len() * 3 / 4);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for (place, digit) in chunk.iter().enumerate() {
            let value = ALPHABET.iter().position(|one| one == digit)?;
            bits |= (value as u32) << (18 - 6 * place);
        }
        data.extend(&bits.to_be_bytes()[1..chunk.len()]);
    }
    (encode(&data) == text).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10, without padding.
    #[test]
    fn base64_is_that_of_the_rfc() {
        for (data, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
        ] {
            assert_eq!(encode(data.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(data.as_bytes()));
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn a_second_text_for_the_same_bytes_is_refused() {
        for text in ["Zh", "Zg==", "Z", "Zm9vZ", "Zm9+", "Zm 9"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
