use turnkey_client::generated::GetWhoamiRequest;
use turnkey_client::{TurnkeyClient, TurnkeyP256ApiKey};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = TurnkeyP256ApiKey::from_strings(std::env::var("API_PRIVATE_KEY")?, None)?;
    let client = TurnkeyClient::builder().api_key(key).base_url(std::env::var("BASE_URL")?).build()?;
    let organization_id = std::env::var("ORGANIZATION_ID")?;
    let whoami = client.get_whoami(GetWhoamiRequest { organization_id }).await?;
    println!("{}", whoami.username);
    Ok(())
}
