//! The signer that alloy has for this interface. It brings a client of its own, an older one.

use alloy_consensus::SignableTransaction;
use alloy_consensus::TxEip1559;
use alloy_network::TxSigner;
use alloy_primitives::{Address, TxKind, U256};
use alloy_signer::Signer;
use alloy_signer_turnkey::{TurnkeyClient, TurnkeyP256ApiKey, TurnkeySigner};

use crate::keys::wallet;
use crate::setting::{Setting, Walked, expect, variable};

pub async fn alloy_signer(here: &Setting) -> Walked {
    let (_, addresses) = wallet(here, "Alloy").await?;
    let address: Address = addresses[0].parse()?;
    let key = TurnkeyP256ApiKey::from_strings(variable("API_PRIVATE_KEY"), None)?;
    let client = TurnkeyClient::builder().api_key(key).base_url(&here.base_url).build()?;
    let signer = TurnkeySigner::new(client, here.organization(), address, Some(1));

    let signature = signer.sign_message(b"A message").await?;
    expect(signature.recover_address_from_msg(b"A message")? == address, "another address signed the message")?;
    let mut transaction = TxEip1559 {
        chain_id: 1,
        gas_limit: 21_000,
        max_fee_per_gas: 2,
        max_priority_fee_per_gas: 1,
        to: TxKind::Call(Address::repeat_byte(0x11)),
        value: U256::from(1),
        ..TxEip1559::default()
    };
    let signature = signer.sign_transaction(&mut transaction).await?;
    let signed_by = signature.recover_address_from_prehash(&transaction.signature_hash())?;
    expect(signed_by == address, "another address signed the transaction")
}
