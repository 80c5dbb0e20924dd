package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
)

const info = "turnkey_hpke"

// What a bundle of the service says, once its signature is that of the key which the service publishes.
func signedData(bundle string, signer string) answer {
	var envelope struct{ Data, DataSignature, EnclaveQuorumPublic string }
	must(0, json.Unmarshal([]byte(bundle), &envelope))
	expect(envelope.EnclaveQuorumPublic == signer, "the bundle is signed by another key")
	data := must(hex.DecodeString(envelope.Data))
	digest := sha256.Sum256(data)
	key := must(ecdsa.ParseUncompressedPublicKey(elliptic.P256(), must(hex.DecodeString(signer))))
	expect(ecdsa.VerifyASN1(key, digest[:], must(hex.DecodeString(envelope.DataSignature))), "a wrong signature")
	var value any
	must(0, json.Unmarshal(data, &value))
	return answer{"bundle", value}
}

// What the holder of the target key can open, in the form in which clients send it.
func sealedTo(target string, plaintext string) string {
	receiver := must(hex.DecodeString(target))
	key := must(hpke.NewDHKEMPublicKey(must(ecdh.P256().NewPublicKey(receiver))))
	encapped, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	must(0, err)
	ciphertext := must(sender.Seal(append(bytes.Clone(encapped), receiver...), []byte(plaintext)))
	return string(must(json.Marshal(object{
		"encappedPublic": hex.EncodeToString(encapped),
		"ciphertext":     hex.EncodeToString(ciphertext),
	})))
}

func opened(encapped []byte, ciphertext []byte, receiver *ecdh.PrivateKey) []byte {
	key := must(hpke.NewDHKEMPrivateKey(receiver))
	recipient := must(hpke.NewRecipient(encapped, key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info)))
	return must(recipient.Open(append(bytes.Clone(encapped), receiver.PublicKey().Bytes()...), ciphertext))
}

func (here *setting) openedExport(bundle string, receiver *ecdh.PrivateKey) []byte {
	data := signedData(bundle, here.signer)
	expect(data.text("organizationId") == here.root.organizationID, "a bundle of another organization")
	encapped := must(hex.DecodeString(data.text("encappedPublic")))
	return opened(encapped, must(hex.DecodeString(data.text("ciphertext"))), receiver)
}

// The private key in a credential bundle: base58 with a checksum.
func openedCredential(bundle string, receiver *ecdh.PrivateKey) []byte {
	raw := base58(bundle)
	content := raw[:len(raw)-4]
	once := sha256.Sum256(content)
	twice := sha256.Sum256(once[:])
	expect(bytes.Equal(twice[:4], raw[len(raw)-4:]), "a wrong checksum")
	return opened(uncompressedP256(content[:33]), content[33:], receiver)
}

func uncompressedP256(compressed []byte) []byte {
	x, y := elliptic.UnmarshalCompressed(elliptic.P256(), compressed)
	return append([]byte{4}, append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)...)
}

func base58(text string) []byte {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	number := new(big.Int)
	for _, character := range text {
		number.Mul(number, big.NewInt(58))
		number.Add(number, big.NewInt(int64(strings.IndexRune(alphabet, character))))
	}
	zeros := len(text) - len(strings.TrimLeft(text, "1"))
	return append(make([]byte, zeros), number.Bytes()...)
}
