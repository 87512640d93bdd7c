// SPDX-License-Identifier: Apache-2.0
//! Publishing at topics that any client can create (section 9 of the protocol), and
//! sending a bundle to a broker (section 10).

use coap_lite::{RequestType, ResponseType};

use super::exchange::{code_of, Get};
use super::{Client, Error};
use crate::cbor::{self, Value};
use crate::pubsub::{
    CONTENT_MAX, DATA, FORMAT, RESOURCE_TYPE, TOPIC_CONTENT_FORMAT, TOPIC_DATA, TOPIC_NAME,
};
use crate::{bundle, links};

/// A topic that any client may publish to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Where it holds what is published.
    pub path: String,
    /// True if it was made just now. An existing one may belong to another client,
    /// which can end it at any time.
    pub is_new: bool,
}

impl Client {
    /// Publishes at a topic's path, in one message.
    ///
    /// # Errors
    /// `4.04` if there is no such topic, [`Error::TooLong`], [`Error::Elsewhere`], and
    /// errors on the way.
    pub async fn publish(&mut self, topic: &str, format: u16, content: &[u8]) -> Result<(), Error> {
        let sent = self.send(RequestType::Put, topic, format, content.to_vec());
        sent.await.map(drop)
    }

    /// Has the broker take the originals of a bundle for readings of their devices, as
    /// if each had come separately: for each nothing, or why it is refused, in the
    /// broker's words, which may be any ([`crate::text::reason`]). What is not refused
    /// is in permanent storage. It is brought in one message.
    ///
    /// # Errors
    /// [`Error::TooLong`] and [`Error::Refused`] if `content` does not fit a message or is no bundle, and then nothing was
    /// sent; errors on the way, or an answer with another count: then the result of
    /// each is unknown.
    pub async fn tell(&mut self, content: &[u8]) -> Result<Vec<Option<String>>, Error> {
        let count = bundle::split(content)?.len();
        let answer = self
            .send(
                RequestType::Post,
                "/bundle",
                bundle::FORMAT,
                content.to_vec(),
            )
            .await?;
        let said = read(&answer)?.into_array().map_err(|_| Error::Malformed)?;
        if said.len() != count {
            return Err(Error::Malformed);
        }
        let said = said.into_iter().map(|one| match one {
            Value::Null => Ok(None),
            one => one.into_text().map(Some).map_err(|_| Error::Malformed),
        });
        said.collect()
    }

    /// The topic of this name, which is created if there is none.
    ///
    /// # Errors
    /// Errors on the way; [`Error::NotFound`] if its name is taken by one that cannot be found.
    pub async fn topic(&mut self, name: &str, format: u16) -> Result<Topic, Error> {
        let asked = cbor::map([
            (TOPIC_NAME.into(), name.into()),
            (RESOURCE_TYPE.into(), DATA.into()),
            (TOPIC_CONTENT_FORMAT.into(), format.into()),
        ]);
        match self.send(RequestType::Post, "/ps", FORMAT, asked).await {
            Ok(properties) => Ok(Topic {
                path: data_of(&properties)?,
                is_new: true,
            }),
            // A taken name has this code.
            Err(Error::Code(code)) if code == "4.00" => self.named(name).await,
            Err(error) => Err(error),
        }
    }

    async fn named(&mut self, name: &str) -> Result<Topic, Error> {
        let asked = cbor::map([(TOPIC_NAME.into(), name.into())]);
        let found = self.send(RequestType::Fetch, "/ps", FORMAT, asked).await?;
        let found = String::from_utf8(found).map_err(|_| Error::Malformed)?;
        let found = links::parse(&found).map_err(|_| Error::Malformed)?;
        let path = &found.first().ok_or(Error::NotFound)?.target;
        let get = Get::new(&self.path(path)?, &[]);
        Ok(Topic {
            path: data_of(&self.socket.get_whole(&get).await?)?,
            is_new: false,
        })
    }

    async fn send(
        &mut self,
        method: RequestType,
        path: &str,
        format: u16,
        content: Vec<u8>,
    ) -> Result<Vec<u8>, Error> {
        if content.len() > CONTENT_MAX {
            return Err(Error::TooLong);
        }
        let get = Get::new(&self.path(path)?, &[]).sending(method, format, content);
        let answer = self.socket.get(&get).await?;
        match code_of(&answer, ResponseType::Content) {
            Err(_) if code_of(&answer, ResponseType::Created).is_ok() => {}
            Err(_) => code_of(&answer, ResponseType::Changed)?,
            Ok(()) => {}
        }
        Ok(answer.payload)
    }
}

fn read(answer: &[u8]) -> Result<Value, Error> {
    cbor::parse(answer).map_err(|_| Error::Malformed)
}

fn data_of(properties: &[u8]) -> Result<String, Error> {
    let properties = read(properties)?.into_map().map_err(|_| Error::Malformed)?;
    let mut data = properties
        .into_iter()
        .filter(|(key, _)| *key == TOPIC_DATA.into());
    let (_, data) = data.next().ok_or(Error::Malformed)?;
    data.into_text().map_err(|_| Error::Malformed)
}
