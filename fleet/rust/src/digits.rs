// SPDX-License-Identifier: Apache-2.0
//! Bytes as hexadecimal digits, as JSON has them.

/// Digits of bytes.
pub fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that digits say; nothing if they do not.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let byte = |pair: &[u32]| (pair[0] << 4 | pair[1]) as u8;
    Some(digits.chunks(2).map(byte).collect())
}
