import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import fc from 'fast-check'
import {
  type Bending,
  createAuthenticator,
  type SoftwareAuthenticator,
} from '../../../test/support/software-authenticator.ts'
import { present } from '../base/assert.ts'
import { fromBase64url, utf8 } from '../base/bytes.ts'
import { readDer } from './der.ts'
import { P256_ORDER } from './scalar.ts'
import { type Assertion, challengeOf, verifyAssertion } from './webauthn-assertion.ts'
import { passkeyVerifyKey } from './webauthn-cose.ts'

const body = utf8('{"organizationId":"f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60"}')
const origin = 'https://wallet.example'
const seeded = (length: number) => createHash('sha512').update(String(length)).digest().subarray(0, length)
const ec = createAuthenticator({ randomBytes: seeded, rpId: 'wallet.example' })
const rsa = createAuthenticator({ randomBytes: seeded, rpId: 'wallet.example', algorithm: 'RS256' })

test('an assertion over the body verifies, and over another body does not', () => {
  for (const passkey of [ec, rsa]) {
    assert.equal(verifies(passkey, assertionBy(passkey)), true)
    assert.equal(verifies(passkey, assertionBy(passkey), { over: utf8('{}') }), false)
    assert.equal(verifies(passkey, assertionBy(passkey === ec ? rsa : ec)), false)
  }
})

test('the challenge is accepted in every base64 that a platform writes, and in no other form', () => {
  const digestHex = createHash('sha256').update(body).digest('hex')
  const honest = challengeOf(body)

  assert.equal(honest.length, 86)
  for (const challenge of [honest, `${honest}==`, `${honest}=`, Buffer.from(digestHex).toString('base64')]) {
    assert.equal(verifies(ec, assertionBy(ec, { clientData: { challenge } })), true, challenge)
  }
  const others = [
    digestHex,
    Buffer.from(digestHex, 'hex').toString('base64url'),
    Buffer.from(digestHex.toUpperCase()).toString('base64url'),
    `${honest}===`,
    `${honest}A`,
    ` ${honest}`,
    '',
    null,
  ]
  for (const challenge of others) {
    assert.equal(verifies(ec, assertionBy(ec, { clientData: { challenge } })), false)
  }
})

test('the origin is compared exactly where the organization lists origins, and not at all where it does not', () => {
  const at = (from: string, origins?: readonly string[]) =>
    verifies(ec, assertionBy(ec, { clientData: { origin: from } }), { origins })

  assert.equal(at('http://anything.example'), true)
  assert.equal(at(origin, ['https://other.example', origin]), true)
  for (const near of [
    `${origin}/`,
    `${origin}:443`,
    origin.toUpperCase(),
    'https://evil-wallet.example',
    'null',
    '',
  ]) {
    assert.equal(at(near, [origin]), false, near)
  }
  assert.equal(at(origin, []), false)
})

test('client data that is not of an assertion, or that could be read two ways, is refused', () => {
  const challenge = challengeOf(body)
  const refused = [
    JSON.stringify({ type: 'webauthn.create', challenge, origin }),
    JSON.stringify({ type: 'webauthn.get', challenge }),
    JSON.stringify({ type: 'webauthn.get', challenge, origin: [origin] }),
    JSON.stringify([{ type: 'webauthn.get', challenge, origin }]),
    `{"type":"webauthn.get","challenge":"x","origin":"${origin}","challenge":"${challenge}"}`,
    `{"type":"webauthn.get","challenge":"${challenge}","origin":"${origin}"} `.repeat(2),
    '',
  ]
  for (const clientDataText of refused) {
    assert.equal(verifies(ec, assertionBy(ec, { clientDataText })), false, clientDataText)
  }
  assert.equal(verifies(ec, assertionBy(ec, { clientData: { other_keys_can_be_added_here: 'x' } })), true)
})

test('flags that do not say that someone was there, or that contradict each other or the length, are refused', () => {
  const extensions = Buffer.from('a0', 'hex')
  const cases: readonly (readonly [number, Uint8Array | undefined, boolean])[] = [
    [0x01, undefined, true],
    [0x05, undefined, true],
    [0x1d, undefined, true],
    [0x00, undefined, false],
    [0x04, undefined, false],
    [0x11, undefined, false],
    [0x81, extensions, true],
    [0x81, undefined, false],
    [0x01, extensions, false],
  ]
  for (const [flags, tail, expected] of cases) {
    const bent = assertionBy(ec, { flags, ...(tail === undefined ? {} : { tail }) })
    assert.equal(verifies(ec, bent), expected, `flags ${flags.toString(16)}`)
  }
  const short = { ...assertionBy(ec), authenticatorData: new Uint8Array(36).fill(0xff) }
  assert.equal(verifies(ec, short), false)
})

test('a byte altered anywhere in an assertion is refused', () => {
  for (const passkey of [ec, rsa]) {
    const honest = assertionBy(passkey)
    const part = fc.constantFrom('authenticatorData', 'clientDataJson', 'signature')
    fc.assert(
      fc.property(part, fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, mask) => {
        const bytes = Uint8Array.from(honest[name])
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ mask
        assert.equal(verifies(passkey, { ...honest, [name]: bytes }), false)
      }),
      { numRuns: 300 },
    )
  }
})

test('our check and that of SimpleWebAuthn agree on assertions that are signed but bent', async () => {
  // The honest value comes often, or hardly any assertion would have none but honest ones.
  const mostly = <T>(honest: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(honest) }, { weight: 1, arbitrary: others })
  const bending = fc.record(
    {
      flags: fc.constantFrom(0x01, 0x05, 0x00, 0x04, 0x0d, 0x1d, 0x11, 0x15),
      clientData: fc.record(
        {
          type: mostly<string | number>('webauthn.get', fc.constantFrom('webauthn.create', '', 1)),
          challenge: mostly(challengeOf(body), fc.base64String()),
          origin: mostly<string | number>(origin, fc.constantFrom('https://evil.example', `${origin}/`, 1)),
          crossOrigin: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  const edit = fc.option(
    fc.tuple(
      fc.constantFrom('authenticatorData', 'clientDataJson', 'signature'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
    ),
    { freq: 2 },
  )
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(ec, rsa), bending, edit, async (passkey, bent, altered) => {
      const honest = assertionBy(passkey, bent)
      const assertion = altered === null ? honest : withAltered(honest, altered)
      const ours = verifies(passkey, assertion, { origins: [origin] })
      if (isReadable(passkey, assertion.signature))
        assert.equal(ours, await oracleAccepts(passkey, assertion))
      else assert.equal(ours, false)
      if (ours) accepted++
    }),
    { numRuns: 300 },
  )
  assert.ok(accepted > 20, `both accepted ${accepted}: the comparison saw both answers`)
})

function assertionBy(passkey: SoftwareAuthenticator, bending?: Bending): Assertion {
  const sent = JSON.parse(passkey.assert(body, origin, bending).stampHeaderValue)
  const bytes = (field: string) => present(fromBase64url(sent[field]), field)
  return {
    authenticatorData: bytes('authenticatorData'),
    clientDataJson: bytes('clientDataJson'),
    signature: bytes('signature'),
  }
}

function verifies(
  passkey: SoftwareAuthenticator,
  assertion: Assertion,
  {
    over = body,
    origins,
  }: { readonly over?: Uint8Array; readonly origins?: readonly string[] | undefined } = {},
): boolean {
  const key = passkeyVerifyKey(present(fromBase64url(passkey.publicKey), 'a COSE key'))
  return verifyAssertion(assertion, over, present(key, 'a passkey'), origins)
}

/**
 * The oracle also reads BER: tags of another class, longer forms of a length. Ours is held to DER alone, with no
 * oracle.
 */
function isReadable(passkey: SoftwareAuthenticator, signature: Uint8Array): boolean {
  return passkey === rsa || readDer(signature, P256_ORDER) !== undefined
}

async function oracleAccepts(passkey: SoftwareAuthenticator, assertion: Assertion): Promise<boolean> {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: passkey.credentialId,
        rawId: passkey.credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: text(assertion.authenticatorData),
          clientDataJSON: text(assertion.clientDataJson),
          signature: text(assertion.signature),
        },
      },
      expectedChallenge: challengeOf(body),
      expectedOrigin: origin,
      expectedRPID: 'wallet.example',
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: 0,
      },
    })
    return verified
  } catch {
    // Most of its refusals are errors.
    return false
  }
}

function withAltered(honest: Assertion, [name, at, mask]: readonly [string, number, number]): Assertion {
  // The name is that of a field, as the generator above gives it.
  const bytes = Uint8Array.from(honest[name as keyof Assertion])
  const place = at % bytes.length
  bytes[place] = (bytes[place] ?? 0) ^ mask
  return { ...honest, [name]: bytes }
}
