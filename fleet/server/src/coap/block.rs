// SPDX-License-Identifier: Apache-2.0
//! Answers larger than a message, a block at a time (RFC 7959). The server keeps nothing between blocks: each
//! is cut from the present content of the resource, and ETag shows whether that is still the same.

use std::ops::Range;

use coap_lite::{CoapOption, ResponseType};
use ring::digest;

use super::Answer;

/// The largest block is also the largest payload that is sent whole.
const LARGEST: usize = 1024;
const SZX_MAX: u32 = 6;

/// Tells one state of a resource from another.
pub type Tag = [u8; 4];

/// The tag of a payload in parts, whose bytes are all looked at.
pub fn tag(parts: &[&[u8]]) -> Tag {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in parts {
        context.update(part);
    }
    let mut tag = Tag::default();
    for (byte, of_hash) in tag.iter_mut().zip(context.finish().as_ref()) {
        *byte = *of_hash;
    }
    tag
}

/// Which bytes of so many make the block, and the option that says so.
fn part(length: usize, block2: Option<u32>) -> Option<(Range<usize>, u32)> {
    let block = block2.unwrap_or(SZX_MAX);
    let (number, szx) = ((block >> 4) as usize, block & 7);
    let size = 16usize << szx;
    let start = number * size;
    if szx > SZX_MAX || (start >= length && number > 0) {
        return None;
    }
    let end = length.min(start + size);
    let more = u32::from(end < length);
    Some((start..end, (number as u32) << 4 | more << 3 | szx))
}

/// The block that is asked for of content that is kept in parts with its tag: it takes no longer if there is more.
pub fn content(format: u16, parts: &[&[u8]], tag: Tag, block2: Option<u32>) -> Answer {
    let code = ResponseType::Content;
    let length = parts.iter().map(|part| part.len()).sum();
    if block2.is_none() && length <= LARGEST {
        return Answer::content(code, format, parts.concat());
    }
    let Some((range, option)) = part(length, block2) else {
        return ResponseType::BadRequest.into();
    };
    let answer = Answer::content(code, format, taken(parts, range));
    mark(answer, tag, option, length)
}

/// These bytes of the joined parts.
fn taken(parts: &[&[u8]], range: Range<usize>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(range.len());
    let mut before = 0;
    for part in parts {
        let within = |at: usize| at.saturating_sub(before).min(part.len());
        bytes.extend_from_slice(&part[within(range.start)..within(range.end)]);
        before += part.len();
    }
    bytes
}

fn mark(answer: Answer, tag: Tag, option: u32, length: usize) -> Answer {
    answer
        .with(CoapOption::ETag, &tag)
        .with_number(CoapOption::Block2, option)
        .with_number(CoapOption::Size2, length as u32)
}

/// The block that is asked for, or the first one of an answer that is too large to be sent whole.
pub fn cut(mut answer: Answer, block2: Option<u32>) -> Answer {
    let length = answer.payload.len();
    let is_whole = answer.option(CoapOption::Block2).next().is_none();
    if answer.code != ResponseType::Content || !is_whole || (block2.is_none() && length <= LARGEST)
    {
        return answer;
    }
    let Some((range, option)) = part(length, block2) else {
        return ResponseType::BadRequest.into();
    };
    let tag = tag(&[&answer.payload]);
    answer.payload = answer.payload[range].to_vec();
    mark(answer, tag, option, length)
}

/// The largest first block that fits, of an answer that is whole or a first block itself. Nothing if no block fits,
/// or a later block is asked for, of which the peer has to know the size.
pub fn shrink(
    answer: &Answer,
    block2: Option<u32>,
    fits: impl Fn(&Answer) -> bool,
) -> Option<Answer> {
    if answer.code != ResponseType::Content || is_later(block2) {
        return None;
    }
    let is_whole = answer.option(CoapOption::Block2).next().is_none();
    (0..SZX_MAX).rev().find_map(|szx| {
        let start = answer.payload.get(..16 << szx)?;
        let mut block = answer.clone();
        block.payload = start.to_vec();
        let option = 8 | szx; // more follow
        let block = match is_whole {
            true => mark(block, tag(&[&answer.payload]), option, answer.payload.len()),
            false if start.len() < answer.payload.len() => {
                block.set_number(CoapOption::Block2, option)
            }
            false => return None,
        };
        fits(&block).then_some(block)
    })
}

/// Whether a block has a size; seven is reserved.
pub fn is_sound(block: Option<u32>) -> bool {
    block.is_none_or(|block| block & 7 <= SZX_MAX && block >> 24 == 0)
}

/// The number of bytes sent at once for this request.
pub fn size(block2: Option<u32>) -> usize {
    block2.map_or(LARGEST, |block| 16 << (block & 7).min(SZX_MAX))
}

/// Whether a block of the answer is asked for that is not the first.
pub fn is_later(block2: Option<u32>) -> bool {
    block2.is_some_and(|block| block >> 4 > 0)
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
            for (number, one) in (0..count).zip(blocks) {
                let tag = tag(&[&whole.payload]);
                let (first, rest) = whole.payload.split_at(1500);
                let parts = [first, b"", rest];
                let kept = super::content(0, &parts, tag, block(number, szx));
                assert_eq!(kept, one);
                assert_eq!(cut(kept, block(number, szx)), one);
            }
            assert_eq!(
                cut(whole.clone(), block(count, szx)).code,
                ResponseType::BadRequest
            );
        }
    }

    #[test]
    fn behind_the_last_block_is_none_also_if_the_last_is_full() {
        let whole = content(2048);
        assert_eq!(
            cut(whole.clone(), block(1, 6)).payload,
            whole.payload[1024..]
        );
        let tag = tag(&[&whole.payload]);
        for number in [2, 3] {
            let of_it = block(number, 6);
            assert_eq!(cut(whole.clone(), of_it).code, ResponseType::BadRequest);
            let kept = super::content(0, &[&whole.payload], tag, of_it);
            assert_eq!(kept.code, ResponseType::BadRequest);
        }
        assert!(cut(content(0), block(0, 6)).payload.is_empty());
        assert_eq!(cut(content(0), block(1, 6)).code, ResponseType::BadRequest);
    }

    #[test]
    fn an_answer_shrinks_to_the_largest_block_that_fits_and_the_others_add_up() {
        let whole = content(2500);
        for (asked, most, szx) in [
            (None, 1023, 5),
            (None, 511, 4),
            (block(0, 6), 64, 2),
            (block(0, 2), 63, 1),
            (None, 16, 0),
        ] {
            let sent = cut(whole.clone(), asked);
            let first = shrink(&sent, asked, |one| one.payload.len() <= most).unwrap();
            let expected = cut(whole.clone(), block(0, szx));
            let options = |answer: &Answer| {
                [CoapOption::Block2, CoapOption::ETag, CoapOption::Size2].map(|option| {
                    let values: Vec<Vec<u8>> = answer.option(option).map(<[u8]>::to_vec).collect();
                    values
                })
            };
            assert_eq!(options(&first), options(&expected));
            assert_eq!(first.payload, expected.payload);
        }
        // A short one was not cut before.
        let short = content(100);
        let first = shrink(&short, None, |one| one.payload.len() <= 70).unwrap();
        assert_eq!(first, cut(short.clone(), block(0, 2)));
        assert!(shrink(&short, None, |one| one.payload.len() <= 15).is_none());
        assert!(shrink(&short, block(1, 2), |_| true).is_none());
        assert!(shrink(&cut(whole, block(1, 6)), block(1, 6), |_| true).is_none());
        assert!(shrink(&ResponseType::NotFound.into(), None, |_| true).is_none());
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
