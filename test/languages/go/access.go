package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const contact = "mail@example.com"

func sessions(here *setting) {
	readOnly := here.root.done("create_read_only_session", "ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION",
		"createReadOnlySessionResult", object{})
	expect(readOnly.text("userId") == here.root.userID, "a session of somebody else")

	receiver, public := newReceiver()
	made := here.root.done("create_read_write_session", "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
		"createReadWriteSessionResultV2", object{"targetPublicKey": public})
	secret := openedCredential(made.text("credentialBundle"), receiver)
	here.root.with(must(ecdsa.ParseRawPrivateKey(elliptic.P256(), secret))).isItself()

	key := newKey()
	here.root.done("stamp_login", "ACTIVITY_TYPE_STAMP_LOGIN", "stampLoginResult",
		object{"publicKey": publicKey(key)})
	here.root.with(key).isItself()
}

func codeByMail(here *setting) {
	here.root.done("set_organization_feature", "ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE",
		"setOrganizationFeatureResult", object{"name": "FEATURE_NAME_OTP_EMAIL_AUTH", "value": ""})
	somebody := here.subOrganization(contact)
	begun := here.root.done("init_otp", "ACTIVITY_TYPE_INIT_OTP_V3", "initOtpResultV2",
		object{"otpType": "OTP_TYPE_EMAIL", "contact": contact, "appName": "Walk"})
	target := signedData(begun.text("otpEncryptionTargetBundle"), here.otp).text("targetPublic")
	key, sessionKey := newKey(), newKey()
	proof := must(json.Marshal(object{"otp_code": here.codeSent(), "public_key": publicKey(key)}))
	token := here.root.done("verify_otp", "ACTIVITY_TYPE_VERIFY_OTP_V2", "verifyOtpResult",
		object{"otpId": begun.text("otpId"), "encryptedOtpBundle": sealedTo(target, string(proof))},
	).text("verificationToken")
	login := must(json.Marshal(object{
		"login":   object{"publicKey": publicKey(sessionKey)},
		"tokenId": claimsOf(token).text("id"),
		"type":    "USAGE_TYPE_LOGIN",
	}))
	stranger := member{here.baseURL, somebody.organizationID, "", here.root.key}
	session := stranger.done("otp_login", "ACTIVITY_TYPE_OTP_LOGIN_V2", "otpLoginResult", object{
		"verificationToken": token,
		"publicKey":         publicKey(sessionKey),
		"clientSignature": object{
			"publicKey": publicKey(key),
			"scheme":    "CLIENT_SIGNATURE_SCHEME_API_P256",
			"message":   string(login),
			"signature": hex.EncodeToString(signature(key, login)),
		},
	}).text("session")
	expect(claimsOf(session).text("user_id") == somebody.userID, "a session of somebody else")
	somebody.with(sessionKey).isItself()
}

func (by member) with(key *ecdsa.PrivateKey) member {
	by.key = key
	return by
}

func (by member) isItself() {
	expect(by.query("whoami", nil).text("userId") == by.userID, "a session of somebody else")
}

// The code in the newest message, which may take a moment to be sent.
func (here *setting) codeSent() string {
	code := regexp.MustCompile(`(?m)^[0-9A-Z]{6,9}$`)
	for range 200 {
		response := must(http.Get(here.baseURL + "/dev/inbox.json"))
		text := must(io.ReadAll(response.Body))
		response.Body.Close()
		var inbox struct{ Messages []struct{ To, Text string } }
		must(0, json.Unmarshal(text, &inbox))
		for _, message := range inbox.Messages {
			if found := code.FindString(message.Text); message.To == contact && found != "" {
				return found
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	panic("no code was sent")
}

func claimsOf(token string) answer {
	var value any
	must(0, json.Unmarshal(must(base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])), &value))
	return answer{"token", value}
}

// r and s of 32 bytes each.
func signature(key *ecdsa.PrivateKey, message []byte) []byte {
	digest := sha256.Sum256(message)
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	must(0, err)
	return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
}
