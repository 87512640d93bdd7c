// SPDX-License-Identifier: Apache-2.0
//! Section 3 of the protocol: from the number on the air to the number that was signed.

use crate::cose::Number;
use crate::Refusal;

/// How far above the highest number the low bits may reach.
pub const THRESHOLD: u64 = 32_768;

const LOW: u64 = 1 << 16;

/// The only number that the object can have, given the highest accepted one.
pub fn candidate(number: Number, highest: u64) -> Result<u64, Refusal> {
    match number {
        Number::Full(full) if full > highest => Ok(full),
        Number::Full(_) => Err(Refusal::Replayed),
        Number::Low(low) => {
            let mut candidate = highest - highest % LOW + u64::from(low);
            if candidate <= highest {
                candidate = candidate.checked_add(LOW).ok_or(Refusal::Replayed)?;
            }
            if candidate - highest > THRESHOLD {
                return Err(Refusal::BeyondThreshold);
            }
            Ok(candidate)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn low(sequence: u64) -> Number {
        Number::Low((sequence % LOW) as u16)
    }

    #[test]
    fn every_step_up_to_the_threshold_is_found() {
        for highest in [0, 1, 65_534, 65_535, 65_536, 1 << 40] {
            for step in [1, 2, 255, 32_767, THRESHOLD] {
                assert_eq!(candidate(low(highest + step), highest), Ok(highest + step));
            }
        }
    }

    #[test]
    fn a_step_beyond_the_threshold_and_every_recent_replay_is_refused() {
        let highest = 200_000;
        for sequence in (highest + THRESHOLD + 1..=highest + LOW).chain(highest - 32_767..=highest)
        {
            assert_eq!(
                candidate(low(sequence), highest),
                Err(Refusal::BeyondThreshold)
            );
        }
    }

    #[test]
    fn numbers_in_full_only_have_to_be_higher() {
        assert_eq!(candidate(Number::Full(u64::MAX), 7), Ok(u64::MAX));
        assert_eq!(candidate(Number::Full(7), 7), Err(Refusal::Replayed));
    }

    #[test]
    fn the_last_numbers_do_not_wrap_around() {
        assert_eq!(
            candidate(Number::Low(3), u64::MAX - 1),
            Err(Refusal::Replayed)
        );
        assert_eq!(candidate(Number::Low(0xffff), u64::MAX - 1), Ok(u64::MAX));
        assert_eq!(
            candidate(Number::Low(0xffff), u64::MAX),
            Err(Refusal::Replayed)
        );
    }
}
