package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
)

const suite = "TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1"

// The mnemonic that every example uses, and the address of its first account.
const mnemonic = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
const firstAddress = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"

func importAndExport(here *setting) {
	importPrivateKey(here)
	importWallet(here)
	importSecret(here)
}

func importPrivateKey(here *setting) {
	secret := sha256.Sum256([]byte("a private key of the walk"))
	begun := here.root.done("init_import_private_key", "ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY",
		"initImportPrivateKeyResult", object{"userId": here.root.userID})
	target := signedData(begun.text("importBundle"), here.signer)
	expect(target.text("userId") == here.root.userID, "the bundle is for somebody else")
	id := here.root.done("import_private_key", "ACTIVITY_TYPE_IMPORT_PRIVATE_KEY", "importPrivateKeyResult", object{
		"userId":          here.root.userID,
		"privateKeyName":  "Imported",
		"encryptedBundle": sealedTo(target.text("targetPublic"), string(secret[:])),
		"curve":           "CURVE_SECP256K1",
		"addressFormats":  []string{"ADDRESS_FORMAT_ETHEREUM"},
	}).text("privateKeyId")
	receiver, public := newReceiver()
	exported := here.root.done("export_private_key", "ACTIVITY_TYPE_EXPORT_PRIVATE_KEY", "exportPrivateKeyResult",
		object{"privateKeyId": id, "targetPublicKey": public})
	expect(bytes.Equal(here.openedExport(exported.text("exportBundle"), receiver), secret[:]), "another key")
}

func importWallet(here *setting) {
	begun := here.root.done("init_import_wallet", "ACTIVITY_TYPE_INIT_IMPORT_WALLET", "initImportWalletResult",
		object{"userId": here.root.userID})
	target := signedData(begun.text("importBundle"), here.signer)
	imported := here.root.done("import_wallet", "ACTIVITY_TYPE_IMPORT_WALLET", "importWalletResult", object{
		"userId":          here.root.userID,
		"walletName":      "Imported",
		"encryptedBundle": sealedTo(target.text("targetPublic"), mnemonic),
		"accounts":        []object{account("m/44'/60'/0'/0/0", "CURVE_SECP256K1", "ADDRESS_FORMAT_ETHEREUM")},
	})
	expect(imported.text("addresses", 0) == firstAddress, "another address")
	receiver, public := newReceiver()
	exported := here.root.done("export_wallet", "ACTIVITY_TYPE_EXPORT_WALLET", "exportWalletResult",
		object{"walletId": imported.text("walletId"), "targetPublicKey": public})
	expect(string(here.openedExport(exported.text("exportBundle"), receiver)) == mnemonic, "another mnemonic")
	receiver, public = newReceiver()
	exported = here.root.done("export_wallet_account", "ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT",
		"exportWalletAccountResult", object{"address": firstAddress, "targetPublicKey": public})
	expect(len(here.openedExport(exported.text("exportBundle"), receiver)) == 32, "no key of the account")
}

func importSecret(here *setting) {
	begun := here.root.done("init_import_secrets", "ACTIVITY_TYPE_INIT_IMPORT_SECRETS", "initImportSecretsResult",
		object{"encryptionSuite": suite, "numSecrets": 1})
	target := signedData(begun.text("enclaveTargetMessages", 0), here.signer).text("targetPublic")
	id := here.root.done("import_secrets", "ACTIVITY_TYPE_IMPORT_SECRETS", "importSecretsResult",
		object{"secrets": []object{{
			"name":            "Password",
			"secretPayload":   sealedTo(target, "correct horse"),
			"targetPublicKey": target,
			"encryptionSuite": suite,
		}}}).text("secretIds", 0)
	receiver, public := newReceiver()
	exported := here.root.done("export_secrets", "ACTIVITY_TYPE_EXPORT_SECRETS", "exportSecretsResult",
		object{"secrets": []object{{"secretId": id, "targetPublicKey": public, "encryptionSuite": suite}}})
	opened := here.openedExport(exported.text("secretPayloads", 0), receiver)
	expect(string(opened) == "correct horse", "another secret")
}

func newReceiver() (*ecdh.PrivateKey, string) {
	receiver := must(ecdh.P256().GenerateKey(rand.Reader))
	return receiver, hex.EncodeToString(receiver.PublicKey().Bytes())
}
