// SPDX-License-Identifier: Apache-2.0
//! Answers larger than a message, a block at a time (RFC 7959). The server keeps nothing between blocks: each
//! is cut from what the resource holds then, and ETag tells whether that is still the same.

use coap_lite::{CoapOption, ResponseType};
use ring::digest;

use super::Answer;

/// The largest block is also the largest payload that is sent whole.
const LARGEST: usize = 1024;
const SZX_MAX: u32 = 6;

/// The block that is asked for, or the first one of an answer that is too large to be sent whole.
pub fn cut(answer: Answer, block2: Option<u32>) -> Answer {
    if answer.code != ResponseType::Content || (block2.is_none() && answer.payload.len() <= LARGEST)
    {
        return answer;
    }
    let block = block2.unwrap_or(SZX_MAX);
    let (number, szx) = ((block >> 4) as usize, block & 7);
    if szx > SZX_MAX {
        return ResponseType::BadRequest.into();
    }
    let size = 16usize << szx;
    let (start, length) = (number * size, answer.payload.len());
    if start >= length && number > 0 {
        return ResponseType::BadRequest.into();
    }
    let end = length.min(start + size);
    let more = u32::from(end < length);
    let hash = digest::digest(&digest::SHA256, &answer.payload);
    let mut part = answer;
    part.payload = part.payload[start..end].to_vec();
    part.with(CoapOption::ETag, &hash.as_ref()[..4])
        .with_number(CoapOption::Block2, (number as u32) << 4 | more << 3 | szx)
        .with_number(CoapOption::Size2, length as u32)
}

/// Whether a request is part of one that does not fit a message; those are not put together here.
pub fn is_part(block1: Option<u32>) -> bool {
    block1.is_some_and(|block| block >> 3 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(length: usize) -> Answer {
        Answer::content(
            ResponseType::Content,
            0,
            (0..length).map(|at| at as u8).collect(),
        )
    }

    fn block(number: u32, szx: u32) -> Option<u32> {
        Some(number << 4 | szx)
    }

    #[test]
    fn blocks_add_up_to_the_whole() {
        let whole = content(2500);
        for (szx, count) in [(6, 3), (2, 40)] {
            let blocks: Vec<Answer> = (0..count)
                .map(|number| cut(whole.clone(), block(number, szx)))
                .collect();
            let payload: Vec<u8> = blocks.iter().flat_map(|one| one.payload.clone()).collect();
            assert_eq!(payload, whole.payload);
            assert_eq!(
                cut(whole.clone(), block(count, szx)).code,
                ResponseType::BadRequest
            );
        }
    }

    #[test]
    fn only_what_is_too_large_is_cut_unasked() {
        assert_eq!(cut(content(1024), None), content(1024));
        assert_eq!(cut(content(1025), None).payload.len(), 1024);
        assert_eq!(cut(content(10), block(0, 0)).payload.len(), 10);
        assert_eq!(cut(content(10), block(0, 7)).code, ResponseType::BadRequest);
        assert_eq!(cut(content(10), Some(!7)).code, ResponseType::BadRequest);
    }
}
