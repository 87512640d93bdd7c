// SPDX-License-Identifier: Apache-2.0
//! Commanding a device: signed here, passed on by the holder of the [`Lease`], carried out
//! once or not at all. Who passes it on is trusted with nothing: the device's key is the
//! one that its identity is the hash of, the command is signed for the challenge that was
//! told and for no second one, and a result is the device's, of this command, or none.
//!
//! Nothing here does input or output; with the feature `http` [`crate::service`] is a lease.

use std::fmt;
use std::time::{Duration, Instant};

use crate::cbor::Value;
use crate::commander::{Commander, Unsigned};
use crate::commands::{self, Outcome};
use crate::{Identity, PublicKey, Refusal, Sign1};

/// A directory's description of a device's keys. They are compared with its identity
/// before they are believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The key that verifies its result.
    pub signing: PublicKey,
    /// The kind of device.
    pub kind: String,
    /// A key for agreement, if it has one.
    pub agreement: Option<PublicKey>,
}

/// The content of the place where a command is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The device's challenge, once it was told.
    pub nonce: Option<Vec<u8>>,
    /// The device's result.
    pub result: Option<Vec<u8>>,
}

/// The right to command a device, which has one holder at a time: the place for a
/// command, and for its result.
#[allow(async_fn_in_trait)] // whether a future may change its thread is seen of each lease
pub trait Lease {
    /// Errors of the way to the device.
    type Error;

    /// Takes the lease. The description of the device's keys; nothing if another holder
    /// has the lease.
    async fn take(&mut self, device: &Identity) -> Result<Option<Keys>, Self::Error>;

    /// Renews it, from time to time. The content of the place; nothing if it is another holder's by
    /// now. `seen` is the challenge that is known, and the former content while the
    /// service cannot answer.
    async fn look(
        &mut self,
        device: &Identity,
        seen: Option<&[u8]>,
    ) -> Result<Option<Told>, Self::Error>;

    /// Leaves the command that was signed for this challenge. An error only if the
    /// command surely does not arrive: it was not the device's latest. A failure where
    /// it may have been handed out, and no result would be told.
    async fn leave(
        &mut self,
        device: &Identity,
        nonce: &[u8],
        command: &[u8],
    ) -> Result<bool, Self::Error>;

    /// Lets a moment go by between two looks.
    async fn pause(&mut self);

    /// Why the last of these could not be said, though the next may be.
    fn trouble(&mut self) -> Option<Self::Error> {
        None
    }

    /// Gives it up, also where taking it failed, if it was taken all the same. Where this fails, it is free a little later.
    async fn give_up(&mut self, device: &Identity);
}

/// The device's answer to a command, verified, with the proof for others: by
/// [`commands::verify_result`] with the device's key.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// Its answer.
    pub outcome: Outcome,
    /// The command as it was sent.
    pub command: Vec<u8>,
    /// The result as the device signed it, without a tag.
    pub result: Vec<u8>,
    /// The keys of the device, which its identity is the hash of.
    pub keys: Keys,
}

/// Why a command has no result.
#[derive(Debug)]
pub enum Why<E> {
    /// The way to the device failed.
    Lease(E),
    /// Another commands it.
    Taken,
    /// The keys that are shown are not those of this identity.
    ForeignKey,
    /// There is nothing to command it with.
    Argument(String),
    /// It was not signed.
    Unsigned(Unsigned),
    /// The claimed result is not the device's, or is another command's.
    Refused(Refusal),
    /// The device did not ask, or told nothing, for as long as it was waited for.
    Silent,
}

/// A command without a result.
#[derive(Debug)]
pub struct Failed<E> {
    /// The commanded device.
    pub device: Identity,
    /// Why it is not known what became of it.
    pub why: Why<E>,
    /// Whether it may have been carried out: look before you command again.
    pub may_be_done: bool,
}

impl<E> Failed<E> {
    fn unsigned(device: &Identity, why: Unsigned) -> Self {
        Failed {
            device: *device,
            why: Why::Unsigned(why),
            may_be_done: false,
        }
    }
}

impl<E: fmt::Display> fmt::Display for Failed<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = &self.device;
        match &self.why {
            Why::Lease(error) => error.fmt(formatter)?,
            Why::Taken => write!(formatter, "{device} is being commanded by another")?,
            Why::ForeignKey => write!(
                formatter,
                "the keys that are shown are not those of {device}"
            )?,
            Why::Argument(why) => formatter.write_str(why)?,
            Why::Unsigned(why) => why.fmt(formatter)?,
            Why::Refused(refusal) => write!(formatter, "the result of {device}: {refusal}")?,
            Why::Silent if self.may_be_done => write!(formatter, "{device} told no result")?,
            Why::Silent => write!(
                formatter,
                "{device} did not ask for commands: none was signed"
            )?,
        }
        match self.may_be_done {
            true => formatter.write_str(": it is not known whether it carried the command out"),
            false => Ok(()),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Failed<E> {}

/// When it is waited no longer; never, if no clock shows it.
#[derive(Clone, Copy)]
struct End(Option<Instant>);

impl End {
    fn after(wait: Duration) -> Self {
        End(Instant::now().checked_add(wait))
    }

    fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// A command on its way.
struct Sending<'a, L> {
    lease: &'a mut L,
    commander: &'a Commander,
    device: &'a Identity,
    name: &'a str,
    argument: Value,
    /// The command, once it may have been handed out.
    signed: Option<Vec<u8>>,
}

impl<L: Lease> Sending<'_, L> {
    /// Says what the device is commanded with, if these are its keys.
    fn argue(
        &mut self,
        keys: &Keys,
        argue: impl FnOnce(&Keys) -> Result<Value, String>,
    ) -> Result<(), Why<L::Error>> {
        let shown = Identity::of_device(&keys.signing, &keys.kind, keys.agreement.as_ref());
        if shown != *self.device {
            return Err(Why::ForeignKey);
        }
        self.argument = argue(keys).map_err(Why::Argument)?;
        let checked = self.commander.check(self.name, &self.argument);
        checked.map_err(Why::Unsigned)
    }

    /// Signs the command for the challenge that the device told, and never again once it was left to be handed
    /// out: it may have been carried out; nor from the end on. The result, if it is there.
    async fn step(
        &mut self,
        seen: &mut Option<Vec<u8>>,
        end: End,
    ) -> Result<Option<Vec<u8>>, Why<L::Error>> {
        let device = self.device;
        let told = self.lease.look(device, seen.as_deref()).await;
        let told = told.map_err(Why::Lease)?.ok_or(Why::Taken)?;
        let is_late = end.is_over();
        if let (Some(nonce), None, false) = (&told.nonce, &self.signed, is_late) {
            let (name, argument) = (self.name, &self.argument);
            let made = self.commander.command(device, nonce, name, argument);
            // If keeping it fails, it may be there all the same.
            let made = self.signed.insert(made.map_err(Why::Unsigned)?);
            let left = self.lease.leave(device, nonce, made).await;
            if !left.map_err(Why::Lease)? {
                // The command did not arrive: the device sent another challenge
                // meanwhile, or the lease is another's, which the next look says.
                self.signed = None;
                return Ok(None);
            }
        }
        seen.clone_from(&told.nonce);
        Ok(told.result.filter(|_| self.signed.is_some()))
    }

    /// The device's answer, with its signed object.
    async fn wait(
        &mut self,
        key: &PublicKey,
        wait: Duration,
    ) -> Result<(Outcome, Vec<u8>), Why<L::Error>> {
        let end = End::after(wait);
        let mut seen = None;
        loop {
            let result = self.step(&mut seen, end).await?;
            if let (Some(result), Some(signed)) = (result, &self.signed) {
                return verified(&result, self.device, key, signed).map_err(Why::Refused);
            }
            if end.is_over() {
                return Err(self.lease.trouble().map_or(Why::Silent, Why::Lease));
            }
            self.lease.pause().await;
        }
    }
}

/// The device's answer, if there is one. A relay may have verified it before, and is
/// not trusted with it.
fn verified(
    result: &[u8],
    device: &Identity,
    key: &PublicKey,
    signed: &[u8],
) -> Result<(Outcome, Vec<u8>), Refusal> {
    let object = Sign1::parse(result)?;
    let outcome = commands::verify_result(&object, device, key, signed)?;
    Ok((outcome, object.bare.to_vec()))
}

/// Commands a device, and waits until it asked and told its result, for as long as `wait` says and a look
/// takes; without end by [`Duration::MAX`]. After a cancellation the lease is held for
/// a while, and the result of the command is unknown.
///
/// Then it gives the lease up, so that the next command finds it free. A timeout around this has to leave time for that and
/// for the last look beside `wait`, or takes a known result away: a service over HTTP is let go within two seconds,
/// and each other request to it takes thirty at most.
///
/// # Errors
/// Why there is no result, and whether the command may have been carried out all the same.
pub async fn send<L: Lease>(
    lease: &mut L,
    commander: &Commander,
    device: &Identity,
    name: &str,
    argument: Value,
    wait: Duration,
) -> Result<Answered, Failed<L::Error>> {
    let checked = commander.check(name, &argument);
    checked.map_err(|why| Failed::unsigned(device, why))?;
    send_by(lease, commander, device, name, wait, |_| Ok(argument)).await
}

/// The same, where what a device is commanded with depends on its keys.
///
/// # Errors
/// As of [`send`], and what `argue` says.
pub async fn send_by<L: Lease>(
    lease: &mut L,
    commander: &Commander,
    device: &Identity,
    name: &str,
    wait: Duration,
    argue: impl FnOnce(&Keys) -> Result<Value, String>,
) -> Result<Answered, Failed<L::Error>> {
    let failed = |why, may_be_done| Failed {
        device: *device,
        why,
        may_be_done,
    };
    let checked = commander.check(name, &Value::Null);
    checked.map_err(|why| Failed::unsigned(device, why))?;
    let keys = match lease.take(device).await {
        Ok(taken) => taken.ok_or_else(|| failed(Why::Taken, false))?,
        Err(error) => {
            lease.give_up(device).await;
            return Err(failed(Why::Lease(error), false));
        }
    };
    let mut sending = Sending {
        lease,
        commander,
        device,
        name,
        argument: Value::Null,
        signed: None,
    };
    let said = match sending.argue(&keys, argue) {
        Ok(()) => sending.wait(&keys.signing, wait).await,
        Err(why) => Err(why),
    };
    sending.lease.give_up(device).await;
    match (said, sending.signed) {
        (Ok((outcome, result)), Some(command)) => Ok(Answered {
            outcome,
            command,
            result,
            keys,
        }),
        (Ok(_), None) => Err(failed(Why::Silent, false)),
        (Err(why), signed) => Err(failed(why, signed.is_some())),
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use coset::{iana, CborSerializable, CoseSign1Builder, HeaderBuilder};
    use ring::signature::{Ed25519KeyPair, KeyPair};

    use super::*;
    use crate::cbor;
    use crate::commander::tests::made;

    type Lie<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

    const WAIT: Duration = Duration::from_secs(10);

    /// A device, which signs results.
    struct Signer(Ed25519KeyPair);

    impl Signer {
        fn of(seed: u8) -> Self {
            Signer(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap())
        }

        fn keys(&self) -> Keys {
            Keys {
                signing: PublicKey::Ed25519(self.0.public_key().as_ref().try_into().unwrap()),
                kind: "valve".to_string(),
                agreement: None,
            }
        }

        fn identity(&self) -> Identity {
            Identity::of_device(&self.keys().signing, "valve", None)
        }

        fn result(&self, of: &Identity, command: &[u8], sequence: u64) -> Vec<u8> {
            let context = commands::result_context(of, command, sequence);
            let number = HeaderBuilder::new().partial_iv(sequence.to_be_bytes().to_vec());
            let algorithm = HeaderBuilder::new().algorithm(iana::Algorithm::EdDSA);
            CoseSign1Builder::new()
                .protected(algorithm.build())
                .unprotected(number.build())
                .payload(cbor::map([(1, 0.into()), (2, "warm".into())]))
                .create_signature(&context, |message| self.0.sign(message).as_ref().to_vec())
                .build()
                .to_vec()
                .unwrap()
        }
    }

    /// A place with an answer for each look, which remembers the commands that are left there.
    struct Place<'a> {
        keys: Option<Keys>,
        /// The challenge, by the number of looks.
        nonce: &'a dyn Fn(u8) -> Option<Vec<u8>>,
        /// The claimed result, by the command that was left.
        result: &'a dyn Fn(&[u8]) -> Option<Vec<u8>>,
        /// The answers for the first commands that are left here, in turn; nothing is a failure.
        answers: Vec<Option<bool>>,
        looks: u8,
        left: Vec<(Vec<u8>, Vec<u8>)>,
        is_taken: bool,
        is_free: bool,
    }

    impl Lease for Place<'_> {
        type Error = String;

        async fn take(&mut self, _device: &Identity) -> Result<Option<Keys>, String> {
            self.is_taken = true;
            self.is_free = self.keys.is_none();
            Ok(self.keys.clone())
        }

        async fn look(&mut self, _: &Identity, _: Option<&[u8]>) -> Result<Option<Told>, String> {
            self.looks += 1;
            let result = self.left.last().and_then(|(_, left)| (self.result)(left));
            let nonce = (self.nonce)(self.looks);
            Ok(Some(Told { nonce, result }))
        }

        async fn leave(&mut self, _: &Identity, nonce: &[u8], left: &[u8]) -> Result<bool, String> {
            self.left.push((nonce.to_vec(), left.to_vec()));
            let answer = self.answers.get(self.left.len() - 1);
            answer
                .copied()
                .unwrap_or(Some(true))
                .ok_or("lost".to_string())
        }

        async fn pause(&mut self) {}

        async fn give_up(&mut self, _device: &Identity) {
            self.is_free = true;
        }
    }

    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => done,
            Poll::Pending => panic!("nothing here waits"),
        }
    }

    fn another_each_time(looks: u8) -> Option<Vec<u8>> {
        Some(vec![looks; 16])
    }

    /// A place with a description of a device.
    fn place<'a>(keys: Keys, result: &'a dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Place<'a> {
        Place {
            keys: Some(keys),
            nonce: &another_each_time,
            result,
            answers: Vec::new(),
            looks: 0,
            left: Vec::new(),
            is_taken: false,
            is_free: false,
        }
    }

    fn sent(place: &mut Place<'_>, wait: Duration) -> Result<Answered, Failed<String>> {
        let ([commander, _], device) = (made(), Signer::of(1).identity());
        let sent = now(send(place, &commander, &device, "heat", 3.into(), wait));
        assert!(place.is_free, "the lease is kept");
        sent
    }

    #[test]
    fn a_result_is_given_back_with_all_that_shows_it_to_others() {
        let device = Signer::of(1);
        let told = |command: &[u8]| Some(device.result(&device.identity(), command, 7));
        let mut place = place(device.keys(), &told);
        let answered = sent(&mut place, WAIT).unwrap();
        assert_eq!((answered.outcome.status, answered.outcome.sequence), (0, 7));
        assert_eq!(answered.outcome.value, "warm".into());
        assert_eq!(place.left, [(vec![1; 16], answered.command.clone())]);
        let object = Sign1::parse(&answered.result).unwrap();
        let key = &answered.keys.signing;
        let again = commands::verify_result(&object, &device.identity(), key, &answered.command);
        assert_eq!(again, Ok(answered.outcome));
    }

    #[test]
    fn a_wait_that_no_clock_shows_has_no_end_and_a_result() {
        let device = Signer::of(1);
        let told = |command: &[u8]| Some(device.result(&device.identity(), command, 7));
        let mut place = place(device.keys(), &told);
        place.nonce = &|looks| (looks > 100).then(|| vec![looks; 16]);
        assert_eq!(sent(&mut place, Duration::MAX).unwrap().outcome.sequence, 7);
    }

    #[test]
    fn what_no_device_takes_is_found_before_anybody_is_asked() {
        let ([commander, _], device) = (made(), Signer::of(1).identity());
        let mut place = place(Signer::of(1).keys(), &|_| None);
        let (long, none) = (Value::from("x".repeat(1024)), Value::Null);
        for (name, argument) in [("heat", &long), ("", &none)] {
            let sent = send(
                &mut place,
                &commander,
                &device,
                name,
                argument.clone(),
                WAIT,
            );
            let failed = now(sent).unwrap_err();
            assert!(matches!(failed.why, Why::Unsigned(_)) && !failed.may_be_done);
            assert!(!place.is_taken);
        }
        // Only the owner of the keys determines the meaning.
        let argue = |_: &Keys| Ok(long);
        let failed = now(send_by(
            &mut place, &commander, &device, "heat", WAIT, argue,
        ));
        assert!(matches!(failed.unwrap_err().why, Why::Unsigned(_)));
        assert!(place.is_taken && place.is_free && place.looks == 0);
    }

    #[test]
    fn a_result_of_another_command_or_of_another_device_is_none() {
        let (device, other) = (Signer::of(1), Signer::of(2));
        let (identity, keys) = (device.identity(), device.keys());
        let replayed = device.result(&identity, b"the command before", 6);
        let forged = |command: &[u8]| {
            let mut made = device.result(&identity, command, 7);
            *made.last_mut().unwrap() ^= 1;
            made
        };
        let lies: [Lie<'_>; 6] = [
            &forged,
            &|_| replayed.clone(),
            &|command| other.result(&identity, command, 7),
            &|command| other.result(&other.identity(), command, 7),
            &|command| command.to_vec(),
            &|_| vec![0; 2000],
        ];
        for lie in lies {
            let told = |command: &[u8]| Some(lie(command));
            let mut place = place(keys.clone(), &told);
            let failed = sent(&mut place, WAIT).unwrap_err();
            assert!(matches!(failed.why, Why::Refused(_)), "{failed}");
            assert!(failed.may_be_done);
            assert_eq!(place.left.len(), 1);
        }
    }

    #[test]
    fn nobody_is_commanded_by_keys_that_are_not_its_own() {
        let mut place = place(Signer::of(2).keys(), &|_| None);
        let failed = sent(&mut place, WAIT).unwrap_err();
        assert!(matches!(failed.why, Why::ForeignKey));
        assert!(!failed.may_be_done);
        assert_eq!((place.looks, place.left.len()), (0, 0));
        place.keys = None;
        assert!(matches!(
            sent(&mut place, WAIT).unwrap_err().why,
            Why::Taken
        ));
    }

    #[test]
    fn a_challenge_that_no_device_tells_is_not_signed() {
        for length in [0, 7, 41, 60_000] {
            let mut place = place(Signer::of(1).keys(), &|_| None);
            let nonce = |_| Some(vec![1; length]);
            place.nonce = &nonce;
            let failed = sent(&mut place, WAIT).unwrap_err();
            assert!(matches!(failed.why, Why::Unsigned(Unsigned::Challenge)));
            assert!(!failed.may_be_done && place.left.is_empty());
        }
    }

    /// The challenges that were signed for in so many looks of a wait that ends then, and whether one may have been
    /// handed out.
    fn steps(answers: &[Option<bool>], wait: Duration) -> (Vec<u8>, bool) {
        let ([commander, _], device) = (made(), Signer::of(1));
        let mut place = place(device.keys(), &|_| None);
        place.answers = answers.to_vec();
        let mut sending = Sending {
            lease: &mut place,
            commander: &commander,
            device: &device.identity(),
            name: "heat",
            argument: Value::Null,
            signed: None,
        };
        let (mut seen, end) = (None, End::after(wait));
        for _ in 0..4 {
            let _ = now(sending.step(&mut seen, end));
        }
        let is_signed = sending.signed.is_some();
        let left = place.left.iter().map(|(nonce, _)| nonce[0]);
        (left.collect(), is_signed)
    }

    #[test]
    fn a_command_is_signed_anew_only_where_it_is_sure_that_nobody_got_it() {
        assert_eq!(steps(&[Some(true)], WAIT), (vec![1], true));
        assert_eq!(steps(&[None], WAIT), (vec![1], true));
        assert_eq!(steps(&[Some(false), Some(true)], WAIT), (vec![1, 2], true));
        assert_eq!(steps(&[Some(false), None], WAIT), (vec![1, 2], true));
    }

    #[test]
    fn no_command_is_signed_once_the_wait_is_over() {
        assert_eq!(steps(&[], Duration::ZERO), (Vec::new(), false));
    }

    #[test]
    fn a_wait_without_a_result_says_whether_the_command_may_have_been_carried_out() {
        let mut lost = place(Signer::of(1).keys(), &|_| None);
        lost.answers = vec![None];
        let failed = sent(&mut lost, WAIT).unwrap_err();
        assert!(matches!(failed.why, Why::Lease(_)) && failed.may_be_done);
        let mut silent = place(Signer::of(1).keys(), &|_| None);
        silent.nonce = &|_| None;
        let failed = sent(&mut silent, Duration::ZERO).unwrap_err();
        assert!(matches!(failed.why, Why::Silent) && !failed.may_be_done);
    }

    #[test]
    fn a_failure_says_whether_the_command_may_have_been_carried_out() {
        let device = Identity([0xab; 16]);
        let said = |why: Why<&str>, may_be_done| {
            let failed = Failed {
                device,
                why,
                may_be_done,
            };
            failed.to_string()
        };
        let unknown = ": it is not known whether it carried the command out";
        for (why, text) in [
            (Why::Lease("no way"), "no way".to_string()),
            (
                Why::Taken,
                format!("{device} is being commanded by another"),
            ),
            (Why::ForeignKey, format!("not those of {device}")),
            (Why::Argument("none".into()), "none".to_string()),
            (Why::Unsigned(Unsigned::Name), Unsigned::Name.to_string()),
            (
                Why::Refused(Refusal::Replayed),
                format!("the result of {device}: replayed"),
            ),
            (Why::Silent, format!("{device} did not ask for commands")),
        ] {
            let said = said(why, false);
            assert!(said.contains(&text) && !said.contains(unknown), "{said}");
        }
        let silent = said(Why::Silent, true);
        assert_eq!(silent, format!("{device} told no result{unknown}"));
    }
}
