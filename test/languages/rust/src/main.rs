mod form;
mod forms;

use turnkey_client::{TurnkeyClient, TurnkeyP256ApiKey};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let api_key = TurnkeyP256ApiKey::from_strings(setting("API_PRIVATE_KEY"), None).expect("the key of the service");
    let client = TurnkeyClient::builder()
        .api_key(api_key)
        .base_url(setting("BASE_URL"))
        .build()
        .expect("a client");
    forms::send_forms(&client, &setting("ORGANIZATION_ID")).await;
}

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}
