import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sources } from './sources.ts'

/** What is read as JSON, by the file that reads it. Another reader of the same body could find something else in it. */
const readers: Readonly<Record<string, string>> = {
  'src/trusted/catalogue/submission.ts': 'the body of an activity',
  'src/host/pipeline/answer.ts': 'the body of a query',
  'src/host/auth-proxy/routes.ts': 'the body of a request to the auth proxy',
  'src/host/auth-proxy/member.ts': 'what the service answers the auth proxy',
  'src/host/http/operator-routes.ts': 'the order of an operator',
  'src/host/emulator/control-routes.ts': 'what turns an emulator',
  'src/trusted/activities/messages/customization.ts': 'variables of a template, a text of JSON in a field',
  'src/trusted/activities/oauth/oauth2-authenticate.ts': 'what a provider answers',
  'src/host/queries/organizations/suborg-filter.ts': 'claims, a text of JSON in a field',
  'src/trusted/chains/invalid-interface.ts': 'the interface of a contract, a text of JSON in a field',
  'src/trusted/chains/json-payload.ts': 'typed data, a text of JSON in a field',
  'src/trusted/crypto/bundles.ts': 'a bundle',
  'src/trusted/crypto/client-signature.ts': 'the message of a signature',
  'src/trusted/crypto/jwt.ts': 'a token',
  'src/trusted/crypto/oidc-token.ts': 'the keys of an issuer',
  'src/trusted/crypto/otp-plaintext.ts': 'what a client has encrypted with a code',
  'src/trusted/crypto/read-only-session.ts': 'a session',
  'src/trusted/crypto/stamp-json.ts': 'a stamp',
  'src/trusted/crypto/webauthn-client-data.ts': 'what a browser has signed',
  'src/host/approval/request.ts': 'a request that waits, to be said in words',
  'src/host/outside/json-answer.ts': 'what somebody outside answers',
  'src/host/app/auth-proxy-file.ts': 'a file of the operator',
  'src/host/cli/policies/read-json-file.ts': 'a file of the command line',
  'src/host/cli/secret/open-export-bundle.ts': 'what the service has exported',
}

/** Where names and unset fields are taken as clients write them. */
const lenient = [
  'src/host/auth-proxy/proxied.ts',
  'src/host/pipeline/answer.ts',
  'src/trusted/activities/organizations/sign-up.ts', // a part of a request that its client has signed apart
  'src/trusted/catalogue/submission.ts',
]

test('the body of a request is read in one place, and whatever else is read as JSON is known', () => {
  const found = sources()
    .filter(
      ({ path, text }) => path !== 'src/trusted/base/strict-json.ts' && /\breadJson(Object)?\(/.test(text),
    )
    .map(({ path }) => path)
  assert.deepEqual(found, Object.keys(readers).toSorted())
})

test('requests are read leniently, and nothing else', () => {
  const found = sources()
    .filter(({ path, text }) => path !== 'src/trusted/catalogue/shape.ts' && text.includes("'lenient'"))
    .map(({ path }) => path)
  assert.deepEqual(found, lenient)
})
