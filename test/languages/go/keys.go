package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
)

func privateKeys(here *setting) {
	ids := []string{}
	for _, curve := range []string{"CURVE_SECP256K1", "CURVE_P256", "CURVE_ED25519"} {
		id := here.privateKey(curve)
		stored := here.root.query("get_private_key", object{"privateKeyId": id})
		expect(stored.text("privateKey", "curve") == curve, "another curve")
		ids = append(ids, id)
	}
	expect(len(here.root.query("list_private_keys", nil).list("privateKeys")) == 3, "not three keys")
	here.root.done("delete_private_keys", "ACTIVITY_TYPE_DELETE_PRIVATE_KEYS", "deletePrivateKeysResult",
		object{"privateKeyIds": ids, "deleteWithoutExport": true})
}

func wallets(here *setting) {
	walletID, _ := here.wallet("Savings")
	here.root.done("create_wallet_accounts", "ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS", "createWalletAccountsResult",
		object{"walletId": walletID, "accounts": []object{
			account("m/44'/60'/0'/0/1", "CURVE_SECP256K1", "ADDRESS_FORMAT_ETHEREUM"),
			account("m/44'/501'/0'/0'", "CURVE_ED25519", "ADDRESS_FORMAT_SOLANA"),
		}})
	accounts := here.root.query("list_wallet_accounts", object{"walletId": walletID}).list("accounts")
	expect(len(accounts) == 3, "not three accounts")
	here.root.done("update_wallet", "ACTIVITY_TYPE_UPDATE_WALLET", "updateWalletResult",
		object{"walletId": walletID, "walletName": "Spending"})
	renamed := here.root.query("get_wallet", object{"walletId": walletID})
	expect(renamed.text("wallet", "walletName") == "Spending", "not renamed")
	here.root.done("delete_wallets", "ACTIVITY_TYPE_DELETE_WALLETS", "deleteWalletsResult",
		object{"walletIds": []string{walletID}, "deleteWithoutExport": true})
	expect(len(here.root.query("list_wallets", nil).list("wallets")) == 0, "a wallet is left")
}

func signatures(here *setting) {
	const message = "A message of a program in Go"
	digest := sha256.Sum256([]byte(message))
	id := here.privateKey("CURVE_P256")
	signed := here.signed(id, message, "PAYLOAD_ENCODING_TEXT_UTF8", "HASH_FUNCTION_SHA256")
	key := must(ecdsa.ParseUncompressedPublicKey(elliptic.P256(), uncompressedP256(here.publicKeyOf(id))))
	r, s := number(signed.text("r")), number(signed.text("s"))
	expect(ecdsa.Verify(key, digest[:], r, s), "a wrong signature on P-256")

	id = here.privateKey("CURVE_ED25519")
	batch := here.root.done("sign_raw_payloads", "ACTIVITY_TYPE_SIGN_RAW_PAYLOADS", "signRawPayloadsResult", object{
		"signWith":     id,
		"payloads":     []string{"one", message},
		"encoding":     "PAYLOAD_ENCODING_TEXT_UTF8",
		"hashFunction": "HASH_FUNCTION_NOT_APPLICABLE",
	}).at("signatures", 1)
	signature := must(hex.DecodeString(batch.text("r") + batch.text("s")))
	expect(ed25519.Verify(here.publicKeyOf(id), []byte(message), signature), "a wrong signature of Ed25519")

	// The standard library has no secp256k1: that the same digest is signed the same way is what can be seen.
	_, address := here.wallet("Signing")
	first := here.signed(address, message, "PAYLOAD_ENCODING_TEXT_UTF8", "HASH_FUNCTION_SHA256")
	second := here.signed(address, hex.EncodeToString(digest[:]), "PAYLOAD_ENCODING_HEXADECIMAL", "HASH_FUNCTION_NO_OP")
	expect(first.text("s") == second.text("s") && first.text("v") == second.text("v"), "another signature")
	typed := here.signed(address, typedData, "PAYLOAD_ENCODING_EIP712", "HASH_FUNCTION_NO_OP")
	expect(len(typed.text("r")) == 64 && len(typed.text("s")) == 64, "no signature of typed data")
	authorization := here.signed(address, authorization, "PAYLOAD_ENCODING_EIP7702_AUTHORIZATION", "HASH_FUNCTION_NO_OP")
	expect(len(authorization.text("r")) == 64, "no signature of an authorization")
}

func transactions(here *setting) {
	addresses := here.root.done("create_wallet", "ACTIVITY_TYPE_CREATE_WALLET", "createWalletResult", object{
		"walletName": "Transactions",
		"accounts": []object{
			account("m/44'/60'/0'/0/0", "CURVE_SECP256K1", "ADDRESS_FORMAT_ETHEREUM"),
			account("m/44'/501'/0'/0'", "CURVE_ED25519", "ADDRESS_FORMAT_SOLANA"),
		},
	})
	signed := here.signedTransaction(addresses.text("addresses", 0), ethereumTransfer, "TRANSACTION_TYPE_ETHEREUM")
	expect(bytes.HasPrefix(signed, []byte{0x02, 0xf8}), "no signed transaction of EIP-1559")

	sender := addresses.text("addresses", 1)
	message := solanaTransfer(base58(sender))
	unsigned := append(append([]byte{1}, make([]byte, 64)...), message...)
	signed = here.signedTransaction(sender, hex.EncodeToString(unsigned), "TRANSACTION_TYPE_SOLANA")
	expect(bytes.Equal(signed[65:], message), "another message")
	expect(ed25519.Verify(base58(sender), message, signed[1:65]), "a wrong signature of a transaction")
}

func (here *setting) signedTransaction(signWith string, unsigned string, kind string) []byte {
	signed := here.root.done("sign_transaction", "ACTIVITY_TYPE_SIGN_TRANSACTION_V2", "signTransactionResult",
		object{"signWith": signWith, "unsignedTransaction": unsigned, "type": kind}).text("signedTransaction")
	return must(hex.DecodeString(strings.TrimPrefix(signed, "0x")))
}

// A message of one instruction: one lamport to the account whose bytes are all 0x11.
func solanaTransfer(sender []byte) []byte {
	return slices.Concat(
		[]byte{1, 0, 1, 3}, sender, bytes.Repeat([]byte{0x11}, 32), make([]byte, 32),
		bytes.Repeat([]byte{0x22}, 32),
		[]byte{1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
	)
}

func (here *setting) signed(signWith string, payload string, encoding string, hashFunction string) answer {
	return here.root.done("sign_raw_payload", "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2", "signRawPayloadResult", object{
		"signWith":     signWith,
		"payload":      payload,
		"encoding":     encoding,
		"hashFunction": hashFunction,
	})
}

func (here *setting) privateKey(curve string) string {
	return here.root.done("create_private_keys", "ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2", "createPrivateKeysResultV2",
		object{"privateKeys": []object{{
			"privateKeyName": "Key " + curve,
			"curve":          curve,
			"privateKeyTags": []string{},
			"addressFormats": []string{},
		}}}).text("privateKeys", 0, "privateKeyId")
}

func (here *setting) publicKeyOf(id string) []byte {
	stored := here.root.query("get_private_key", object{"privateKeyId": id})
	return must(hex.DecodeString(stored.text("privateKey", "publicKey")))
}

// A wallet with one account, and its address.
func (here *setting) wallet(name string) (string, string) {
	made := here.root.done("create_wallet", "ACTIVITY_TYPE_CREATE_WALLET", "createWalletResult", object{
		"walletName": name,
		"accounts":   []object{account("m/44'/60'/0'/0/0", "CURVE_SECP256K1", "ADDRESS_FORMAT_ETHEREUM")},
	})
	return made.text("walletId"), made.text("addresses", 0)
}

func account(path string, curve string, addressFormat string) object {
	return object{"curve": curve, "pathFormat": "PATH_FORMAT_BIP32", "path": path, "addressFormat": addressFormat}
}

func number(text string) *big.Int {
	return new(big.Int).SetBytes(must(hex.DecodeString(text)))
}

// EIP-1559 on chain 1: nonce 0, a value of 1 wei to the address whose bytes are all 0x11.
var ethereumTransfer = "02df0180010282520894" + strings.Repeat("11", 20) + "0180c0"

var authorization = `{"chainId":1,"address":"0x` + strings.Repeat("11", 20) + `","nonce":0}`

const typedData = `{
	"types": {
		"EIP712Domain": [{ "name": "name", "type": "string" }],
		"Mail": [{ "name": "contents", "type": "string" }]
	},
	"primaryType": "Mail",
	"domain": { "name": "Walk" },
	"message": { "contents": "Hello" }
}`
