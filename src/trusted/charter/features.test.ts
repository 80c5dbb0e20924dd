import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { isAccepted, isKnown } from './identity-audiences.ts'
import { checkFeature } from './features.ts'
import { passkeyOrigins } from './passkey-origins.ts'

const ORIGINS = 'FEATURE_NAME_WEBAUTHN_ORIGINS'
const AUDIENCES = 'FEATURE_NAME_OIDC_AUDIENCES'

const take = (name: Parameters<typeof checkFeature>[0]) => (value: string) =>
  checkFeature(name, value, { allowPrivate: true })
const originsOf = (value: string) =>
  passkeyOrigins({ ...filledCharter, features: [{ name: ORIGINS, value }] })

test('passkeys come from the listed origins, in the form in which clients tell them, or from anywhere', () => {
  const app = `android:apk-key-hash:${'A'.repeat(43)}`
  for (const [value, origins] of [
    ['https://a.example', ['https://a.example']],
    [' https://a.example , http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
    [app, [app]],
    [' * ', undefined],
  ] as const) {
    take(ORIGINS)(value)
    assert.deepEqual(originsOf(value), origins)
  }
  assert.equal(originsOf(''), undefined)
  for (const [value, wrong] of [
    ['', ''],
    ['a.example', 'a.example'],
    ['https://a.example/', 'https://a.example/'],
    ['https://a.example, *', '*'],
    [`${app}, ${app}A`, `${app}A`],
  ] as const)
    assert.throws(() => take(ORIGINS)(value), {
      message: new RegExp(`not ${JSON.stringify(wrong).replace('*', '\\*')}$`),
    })
})

test('a list of applications has an issuer and a client id in each entry', () => {
  take(AUDIENCES)('https://accounts.example one, https://other.example  two')
  for (const wrong of ['', 'https://accounts.example', 'accounts one', 'https://accounts.example one two'])
    assert.throws(() => take(AUDIENCES)(`https://a.example one, ${wrong}`), {
      message: new RegExp(`not ${JSON.stringify(wrong)}$`),
    })
})

test('a token is of a known application by its issuer and client id together, and others are taken while the list is open', () => {
  const known = [
    { issuer: 'https://a.example', audience: 'one' },
    { issuer: 'https://b.example', audience: 'two' },
  ]
  for (const audience of known) {
    assert.ok(isKnown({ known, isClosed: true }, audience))
    assert.ok(isAccepted({ known, isClosed: true }, audience))
  }
  const mixed = { issuer: 'https://a.example', audience: 'two' }
  assert.ok(!isKnown({ known, isClosed: false }, mixed))
  assert.ok(!isAccepted({ known, isClosed: true }, mixed))
  assert.ok(isAccepted({ known, isClosed: false }, mixed))
})
