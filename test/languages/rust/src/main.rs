//! Walks through a running service with the published crates, one step after another; ends with 1 where one failed.

mod access;
mod alloy;
mod answers;
mod bundles;
mod form;
mod forms;
mod keys;
mod others;
mod people;
mod setting;
mod signatures;
mod wallets_elsewhere;

use setting::Setting;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let here = Setting::from_environment();
    if std::env::args().nth(1).as_deref() == Some("forms") {
        forms::send_forms(&here.client, &here.organization_id).await;
        return;
    }
    let mut failed = 0;
    macro_rules! steps {
        ($($room:ident::$step:ident),+ $(,)?) => {
            $(match $room::$step(&here).await {
                Ok(()) => println!("ok {}", stringify!($step)),
                Err(error) => {
                    failed += 1;
                    println!("failed {}: {error}", stringify!($step));
                }
            })+
        };
    }
    steps!(
        people::whoami,
        people::organizations,
        people::users,
        people::policies,
        keys::private_keys,
        keys::wallets,
        signatures::raw_payloads,
        signatures::transactions,
        alloy::alloy_signer,
        people::approval,
        bundles::private_key_in_and_out,
        bundles::wallet_in_and_out,
        bundles::secret_in_and_out,
        access::sessions,
        access::code_by_mail,
        access::credential_by_mail,
        wallets_elsewhere::wallet_login,
        others::one_of_each,
        answers::own_features,
        answers::every_query,
        answers::every_activity,
    );
    std::process::exit(i32::from(failed > 0));
}
