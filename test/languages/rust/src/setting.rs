use std::error::Error;

use turnkey_client::{TurnkeyClient, TurnkeyClientError, TurnkeyP256ApiKey};
use turnkey_enclave_encrypt::QuorumPublicKey;

pub type Client = TurnkeyClient<TurnkeyP256ApiKey>;
pub type Outcome<T> = Result<T, TurnkeyClientError>;
pub type Walked<T = ()> = Result<T, Box<dyn Error>>;

/// The running service, as the first start of development mode left it.
pub struct Setting {
    pub client: Client,
    pub base_url: String,
    pub organization_id: String,
    pub user_id: String,
}

impl Setting {
    pub fn from_environment() -> Setting {
        let key = TurnkeyP256ApiKey::from_strings(variable("API_PRIVATE_KEY"), None).expect("the key of the root user");
        let base_url = variable("BASE_URL");
        Setting {
            client: client_with(&base_url, key),
            base_url,
            organization_id: variable("ORGANIZATION_ID"),
            user_id: std::env::var("ROOT_USER_ID").unwrap_or_default(),
        }
    }

    pub fn client_of(&self, key: TurnkeyP256ApiKey) -> Client {
        client_with(&self.base_url, key)
    }

    pub fn organization(&self) -> String {
        self.organization_id.clone()
    }

    pub fn now(&self) -> u128 {
        self.client.current_timestamp()
    }

    /// What the crate calls a quorum key is two keys, of which one is used here: the service's own key stands for both.
    pub fn signer(&self) -> Walked<QuorumPublicKey> {
        Ok(QuorumPublicKey::from_string(variable("SIGNER_PUBLIC_KEY").repeat(2))?)
    }
}

pub fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

pub fn public_key(key: &TurnkeyP256ApiKey) -> String {
    hex::encode(key.compressed_public_key())
}

/// Fails with a reason where something is not as expected.
pub fn expect(holds: bool, what: &str) -> Walked {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn client_with(base_url: &str, key: TurnkeyP256ApiKey) -> Client {
    TurnkeyClient::builder().api_key(key).base_url(base_url).build().expect("a client")
}
