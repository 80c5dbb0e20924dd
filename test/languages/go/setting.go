package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

// The running service, as the first start of development mode left it.
type setting struct {
	baseURL string
	root    member
	signer  string
	otp     string
}

// Somebody who stamps requests for one organization.
type member struct {
	baseURL        string
	organizationID string
	userID         string
	key            *ecdsa.PrivateKey
}

type object map[string]any

func newSetting() *setting {
	baseURL := os.Getenv("BASE_URL")
	secret := must(hex.DecodeString(os.Getenv("API_PRIVATE_KEY")))
	root := member{
		baseURL:        baseURL,
		organizationID: os.Getenv("ORGANIZATION_ID"),
		userID:         os.Getenv("ROOT_USER_ID"),
		key:            must(ecdsa.ParseRawPrivateKey(elliptic.P256(), secret)),
	}
	return &setting{
		baseURL: baseURL,
		root:    root,
		signer:  os.Getenv("SIGNER_PUBLIC_KEY"),
		otp:     os.Getenv("OTP_PUBLIC_KEY"),
	}
}

func newKey() *ecdsa.PrivateKey {
	return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
}

// 33 bytes in hexadecimal.
func publicKey(key *ecdsa.PrivateKey) string {
	point := must(key.PublicKey.Bytes())
	return hex.EncodeToString(append([]byte{2 + point[64]&1}, point[1:33]...))
}

// An answer that is a success.
func (by member) query(operation string, fields object) answer {
	body := object{"organizationId": by.organizationID}
	for name, value := range fields {
		body[name] = value
	}
	return by.successful("/public/v1/query/"+operation, body)
}

// The result of an activity that must complete.
func (by member) done(operation string, activityType string, resultKey string, parameters object) answer {
	activity := by.submit(operation, activityType, parameters).at("activity")
	expect(activity.text("status") == "ACTIVITY_STATUS_COMPLETED", operation+" is not completed")
	return activity.at("result", resultKey)
}

func (by member) submit(operation string, activityType string, parameters object) answer {
	return by.successful("/public/v1/submit/"+operation, by.envelope(activityType, parameters))
}

// The status of a request that may be refused.
func (by member) status(operation string, activityType string, parameters object) int {
	status, _ := by.post("/public/v1/submit/"+operation, by.envelope(activityType, parameters))
	return status
}

func (by member) envelope(activityType string, parameters object) object {
	return object{
		"type":           activityType,
		"timestampMs":    strconv.FormatInt(time.Now().UnixMilli(), 10),
		"organizationId": by.organizationID,
		"parameters":     parameters,
	}
}

func (by member) successful(path string, body object) answer {
	status, text := by.post(path, body)
	expect(status == http.StatusOK, fmt.Sprintf("%s: %d %s", path, status, text))
	var value any
	must(0, json.Unmarshal(text, &value))
	return answer{path, value}
}

func (by member) post(path string, body object) (int, []byte) {
	text := must(json.Marshal(body))
	request := must(http.NewRequest(http.MethodPost, by.baseURL+path, bytes.NewReader(text)))
	request.Header.Set("X-Stamp", stamp(by.key, text))
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	return response.StatusCode, must(io.ReadAll(response.Body))
}

// An ECDSA signature over the exact bytes of the body.
func stamp(key *ecdsa.PrivateKey, body []byte) string {
	digest := sha256.Sum256(body)
	signature := must(ecdsa.SignASN1(rand.Reader, key, digest[:]))
	stamp := object{
		"publicKey": publicKey(key),
		"scheme":    "SIGNATURE_SCHEME_TK_API_P256",
		"signature": hex.EncodeToString(signature),
	}
	return base64.RawURLEncoding.EncodeToString(must(json.Marshal(stamp)))
}

// A part of what was answered, and where it stands.
type answer struct {
	path  string
	value any
}

// A part further in: a name of a field or a number in a list for each step.
func (of answer) at(steps ...any) answer {
	for _, step := range steps {
		path := fmt.Sprintf("%s.%v", of.path, step)
		switch step := step.(type) {
		case string:
			fields, isObject := of.value.(map[string]any)
			expect(isObject && fields[step] != nil, "there is no "+path)
			of = answer{path, fields[step]}
		case int:
			list := of.list()
			expect(step < len(list), "there is no "+path)
			of = list[step]
		}
	}
	return of
}

func (of answer) text(steps ...any) string {
	part := of.at(steps...)
	text, isText := part.value.(string)
	expect(isText, part.path+" is no text")
	return text
}

func (of answer) list(steps ...any) []answer {
	part := of.at(steps...)
	values, isList := part.value.([]any)
	expect(isList, part.path+" is no list")
	answers := []answer{}
	for index, value := range values {
		answers = append(answers, answer{fmt.Sprintf("%s.%d", part.path, index), value})
	}
	return answers
}
