import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sources } from './sources.ts'

/** What is read as JSON, by the file that reads it. Another reader of the same body could find something else in it. */
const readers: Readonly<Record<string, string>> = {
  'src/catalogue/submission.ts': 'the body of an activity',
  'src/pipeline/answer.ts': 'the body of a query',
  'src/http/auth-proxy/routes.ts': 'the body of a request to the auth proxy',
  'src/http/auth-proxy/member.ts': 'what the service answers the auth proxy',
  'src/http/operator-routes.ts': 'the order of an operator',
  'src/activities/messages/customization.ts': 'variables of a template, a text of JSON in a field',
  'src/activities/oauth/oauth2-authenticate.ts': 'what a provider answers',
  'src/queries/organizations/suborg-filter.ts': 'claims, a text of JSON in a field',
  'src/chains/invalid-interface.ts': 'the interface of a contract, a text of JSON in a field',
  'src/chains/json-payload.ts': 'typed data, a text of JSON in a field',
  'src/crypto/bundles.ts': 'a bundle',
  'src/crypto/client-signature.ts': 'the message of a signature',
  'src/crypto/jwt.ts': 'a token',
  'src/crypto/oidc-token.ts': 'the keys of an issuer',
  'src/crypto/otp-plaintext.ts': 'what a client has encrypted with a code',
  'src/crypto/read-only-session.ts': 'a session',
  'src/crypto/stamp-json.ts': 'a stamp',
  'src/crypto/webauthn-client-data.ts': 'what a browser has signed',
  'src/delivery/json-answer.ts': 'what somebody outside answers',
  'src/app/auth-proxy-file.ts': 'a file of the operator',
  'src/cli/policies/read-file.ts': 'a file of the command line',
}

/** Where names and unset fields are taken as clients write them. */
const lenient = [
  'src/activities/organizations/sign-up.ts', // a part of a request that its client has signed apart
  'src/catalogue/submission.ts',
  'src/http/auth-proxy/proxied.ts',
  'src/pipeline/answer.ts',
]

test('the body of a request is read in one place, and whatever else is read as JSON is known', () => {
  const found = sources()
    .filter(({ path, text }) => path !== 'src/base/strict-json.ts' && /\breadJson(Object)?\(/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(found, Object.keys(readers).toSorted())
})

test('requests are read leniently, and nothing else', () => {
  const found = sources()
    .filter(({ path, text }) => path !== 'src/catalogue/shape.ts' && text.includes("'lenient'"))
    .map(({ path }) => path)
  assert.deepEqual(found, lenient)
})
