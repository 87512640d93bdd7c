// SPDX-License-Identifier: Apache-2.0
//! Commands, a device's question before them, and the result (section 6 of the protocol).

use ring::digest;

use crate::cbor::{self, Value};
use crate::cose::untagged;
use crate::objects::{check_signer, full_number};
use crate::{Identity, PublicKey, Refusal, Sign1};

/// How long a challenge of a device is.
const NONCE_MIN: usize = 8;
const NONCE_MAX: usize = 40;

/// Whether a challenge may be this.
pub(crate) fn is_nonce(nonce: &[u8]) -> bool {
    (NONCE_MIN..=NONCE_MAX).contains(&nonce.len())
}

/// Whether the argument of a command, or the value of a result, may be this.
pub(crate) fn is_plain(value: &Value) -> bool {
    value.is_null() || value.is_bool() || value.is_integer() || value.is_text() || value.is_bytes()
}

fn context(purpose: &str, device: &Identity, bound: Value, sequence: u64) -> Vec<u8> {
    cbor::array([purpose.into(), device.into(), bound, sequence.into()])
}

/// The context of a question's signature beside the device's challenge: the server's.
pub fn ask_context(device: &Identity, echo: &[u8], sequence: u64) -> Vec<u8> {
    context("cf1-ask", device, echo.into(), sequence)
}

/// The context of a command's signature beside its statement.
pub fn command_context(device: &Identity, sender: &Identity, nonce: &[u8]) -> Vec<u8> {
    let bound = Value::Array(vec![sender.into(), nonce.into()]);
    context("cf1-command", device, bound, 0)
}

/// The context of a result's signature beside its payload.
pub fn result_context(device: &Identity, command: &[u8], sequence: u64) -> Vec<u8> {
    let hash = digest::digest(&digest::SHA256, untagged(command));
    context("cf1-result", device, hash.as_ref().into(), sequence)
}

/// That `device`, whose key is known, signed this, given the context that its number makes.
fn check(
    object: &Sign1<'_>,
    device: &Identity,
    key: &PublicKey,
    context: impl FnOnce(u64) -> Vec<u8>,
) -> Result<u64, Refusal> {
    if object.content_type().is_some() {
        return Err(Refusal::Malformed);
    }
    let sequence = full_number(object)?;
    check_signer(object, device)?;
    if !object.is_signed_by(key, &context(sequence)) {
        return Err(Refusal::BadSignature);
    }
    Ok(sequence)
}

/// Verifies a question of a device that answers `echo`: its challenge, and its number.
pub fn verify_ask(
    object: &Sign1<'_>,
    device: &Identity,
    key: &PublicKey,
    echo: &[u8],
) -> Result<(Vec<u8>, u64), Refusal> {
    let nonce = cbor::parse(object.payload())?.into_bytes()?;
    if !is_nonce(&nonce) {
        return Err(Refusal::Malformed);
    }
    let sequence = check(object, device, key, |sequence| {
        ask_context(device, echo, sequence)
    })?;
    Ok((nonce, sequence))
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// 0 if it was done; section 6 of the protocol has the others.
    pub status: u64,
    /// The device's value for it.
    pub value: Value,
    /// The number of the result.
    pub sequence: u64,
}

/// Verifies the result of a command, as it was sent.
pub fn verify_result(
    object: &Sign1<'_>,
    device: &Identity,
    key: &PublicKey,
    command: &[u8],
) -> Result<Outcome, Refusal> {
    let parts = cbor::parse(object.payload())?.into_map()?;
    let [(first, status), (second, value)] =
        <[_; 2]>::try_from(parts).map_err(|_| Refusal::Malformed)?;
    if first != 1.into() || second != 2.into() {
        return Err(Refusal::Malformed);
    }
    if !is_plain(&value) {
        return Err(Refusal::Malformed);
    }
    let status = cbor::int(&status)?;
    let sequence = check(object, device, key, |sequence| {
        result_context(device, command, sequence)
    })?;
    Ok(Outcome {
        status,
        value,
        sequence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::unhex;
    use crate::made::{self, Made};

    /// The worked example of the protocol.
    #[test]
    fn results_hold_for_their_command_alone() {
        let vectors = include_str!("../../../tests/fleet/vectors.json");
        let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
        let bytes = |name: &str| unhex(vectors[name].as_str().unwrap()).unwrap();
        let device = Identity(bytes("p256_identity").try_into().unwrap());
        let key = PublicKey::read(&cbor::parse(&bytes("p256_cose_key")).unwrap()).unwrap();
        let (command, result) = (bytes("command"), bytes("result"));
        let object = Sign1::parse(&result).unwrap();
        let outcome = verify_result(&object, &device, &key, &command).unwrap();
        assert_eq!((outcome.status, outcome.sequence), (0, 65539));
        let tagged = [&[0xd2], &command[..]].concat();
        let same = verify_result(&object, &device, &key, &tagged);
        assert_eq!(same, Ok(outcome));
        let other = verify_result(&object, &device, &key, &result);
        assert_eq!(other, Err(Refusal::BadSignature));
        let foreign = PublicKey::Ed25519([7; 32]);
        let foreign = verify_result(&object, &device, &foreign, &command);
        assert_eq!(foreign, Err(Refusal::BadSignature));
        let asked = bytes("ask");
        let object = Sign1::parse(&asked).unwrap();
        let echo = bytes("registration_nonce");
        let (nonce, number) = verify_ask(&object, &device, &key, &echo).unwrap();
        assert_eq!((nonce, number), (bytes("command_nonce"), 65542));
        let stale = verify_ask(&object, &device, &key, b"another one");
        assert_eq!(stale, Err(Refusal::BadSignature));
    }

    const ECHO: &[u8] = b"of the server";
    const COMMAND: &[u8] = b"a command";

    fn nonce(length: usize) -> Made {
        Made::of(&cbor::encode(&vec![3u8; length].into()))
    }

    fn asked(made: Made) -> Result<(Vec<u8>, u64), Refusal> {
        let object = made.signed(&ask_context(&made::identity(), ECHO, 9));
        let object = Sign1::parse(&object)?;
        verify_ask(&object, &made::identity(), &made::key(), ECHO)
    }

    fn result(parts: impl IntoIterator<Item = (i64, Value)>) -> Made {
        let parts = parts.into_iter().map(|(key, value)| (key.into(), value));
        Made::of(&cbor::encode(&Value::Map(parts.collect())))
    }

    fn told(made: Made) -> Result<Outcome, Refusal> {
        let object = made.signed(&result_context(&made::identity(), COMMAND, 9));
        let object = Sign1::parse(&object)?;
        verify_result(&object, &made::identity(), &made::key(), COMMAND)
    }

    fn done() -> Made {
        result([(1, 0.into()), (2, Value::Null)])
    }

    #[test]
    fn questions_and_results_have_no_content_type() {
        assert_eq!(asked(nonce(16)), Ok((vec![3; 16], 9)));
        let outcome = told(done()).unwrap();
        assert_eq!((outcome.status, outcome.sequence), (0, 9));
        for content_type in [Value::from(112), Value::from(60), Value::from("text/plain")] {
            let labelled = |made: Made| made.protected(3, content_type.clone());
            assert_eq!(asked(labelled(nonce(16))), Err(Refusal::Malformed));
            assert_eq!(told(labelled(done())), Err(Refusal::Malformed));
        }
    }

    #[test]
    fn questions_and_results_name_no_other_signer_and_their_number_in_full() {
        let own = made::identity().0.to_vec();
        let other = vec![1u8; 16];
        for (signer, refusal) in [(own, None), (other, Some(Refusal::ForeignKey))] {
            let named = |made: Made| made.unprotected(4, signer.clone());
            assert_eq!(asked(named(nonce(16))).err(), refusal);
            assert_eq!(told(named(done())).err(), refusal);
        }
        let short = |made: Made| made.changed(6, 9u16.to_be_bytes().as_slice());
        assert_eq!(asked(short(nonce(16))), Err(Refusal::Malformed));
        assert_eq!(told(short(done())), Err(Refusal::Malformed));
    }

    #[test]
    fn a_challenge_has_8_to_40_bytes() {
        for (length, is_right) in [(7, false), (8, true), (40, true), (41, false)] {
            assert_eq!(asked(nonce(length)).is_ok(), is_right, "{length}");
        }
        assert_eq!(asked(Made::of(b"\x01")), Err(Refusal::Malformed));
    }

    #[test]
    fn a_result_is_a_status_and_a_plain_value() {
        for value in [
            true.into(),
            (-1).into(),
            "warm".into(),
            vec![1u8].into(),
            Value::Null,
        ] {
            let outcome = told(result([(1, 16.into()), (2, value.clone())])).unwrap();
            assert_eq!((outcome.status, outcome.value), (16, value));
        }
        for parts in [
            vec![(1, 0.into())],
            vec![(2, 0.into())],
            vec![(1, 0.into()), (3, Value::Null)],
            vec![(0, 0.into()), (2, Value::Null)],
            vec![(1, 0.into()), (2, Value::Null), (3, Value::Null)],
            vec![(1, (-1).into()), (2, Value::Null)],
            vec![(1, "0".into()), (2, Value::Null)],
            vec![(1, 0.into()), (2, 1.5.into())],
            vec![(1, 0.into()), (2, Value::Array(Vec::new()))],
            vec![(1, 0.into()), (2, Value::Map(Vec::new()))],
        ] {
            assert_eq!(
                told(result(parts.clone())),
                Err(Refusal::Malformed),
                "{parts:?}"
            );
        }
    }
}
