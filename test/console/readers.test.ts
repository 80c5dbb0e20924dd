import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkActivity } from '../../src/host/approval/checked-activity.ts'
import { fingerprintOf } from '../../src/host/approval/fingerprint.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { fromHex, toHex, utf8 } from '../../src/trusted/base/bytes.ts'
import { chains } from '../../src/trusted/chains/list.ts'
import { seededBytes } from '../../src/host/emulator/seeded-bytes.ts'
import { builtModule } from './built-module.ts'
import { createAuthenticator } from '../support/software-authenticator.ts'
import { stampKeyFrom, stampWith } from '../support/stamper.ts'

const ORGANIZATION = '0198c5a0-7d3c-7000-8000-000000000001'
const seeded = seededBytes('readers')

type Check = typeof checkActivity

/** The readers as the page loads them: `console/readers/checked.ts`. */
const loaded = await builtModule('checked')
assert.ok('checked' in loaded)
const page = loaded.checked as Check

function shown(message: string, vote: object): object {
  return {
    id: ORGANIZATION,
    fingerprint: fingerprintOf(utf8(message)).text,
    organizationId: ORGANIZATION,
    votes: [{ message, userId: 'u', selection: 'VOTE_SELECTION_APPROVED', ...vote }],
  }
}

function request(type: string, parameters: unknown): string {
  return JSON.stringify({ type, timestampMs: '1', organizationId: ORGANIZATION, parameters })
}

async function sameInBoth(activity: object): Promise<void> {
  assert.deepEqual(await page(activity, ORGANIZATION), await checkActivity(activity, ORGANIZATION))
}

test('the page says every activity as the command line does', async () => {
  for (const { forms, example } of activities)
    await sameInBoth(shown(request(present(forms.at(-1), 'a form').type, example.intent), {}))
  for (const odd of ['', '{', '{"a":1,"a":2}', '\ud800', '{"type":"\\ud800"}', '[]', 'null', '"ü\u0000"'])
    await sameInBoth(shown(odd, {}))
})

for (const { name, transaction, payload, example } of chains)
  test(`the page reads a transaction of ${name}, and what is nearly one, as the command line does`, async () => {
    const { signWith, unsigned } = example
    const asked = (hex: string): string =>
      transaction === undefined
        ? request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
            signWith,
            payload: hex,
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: payload?.hashFunction,
          })
        : request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
            signWith,
            unsignedTransaction: hex,
            type: transaction.type,
          })
    const bytes = present(fromHex(unsigned), 'the example is hexadecimal')
    await sameInBoth(shown(asked(unsigned), {}))
    for (const at of bytes.keys()) {
      const other = Uint8Array.from(bytes)
      other[at] = (other[at] ?? 0) ^ 0x11
      await sameInBoth(shown(asked(toHex(other)), {}))
      await sameInBoth(shown(asked(toHex(bytes.subarray(0, at))), {}))
    }
  })

const TYPED_DATA = JSON.stringify({
  domain: { name: 'Shop', chainId: 1 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [
      { name: 'to', type: 'address' },
      { name: 'amounts', type: 'uint8[]' },
    ],
  },
  primaryType: 'Order',
  message: { to: `0x${'ab'.repeat(20)}`, amounts: [7, 8] },
})

test('the page reads typed data, and what is nearly some, as the command line does', async () => {
  const asked = (payload: string): string =>
    request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: 'key',
      payload,
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    })
  const read = await page(shown(asked(TYPED_DATA), {}), ORGANIZATION)
  assert.match(JSON.stringify(read), /Order/)
  assert.doesNotMatch(JSON.stringify(read), /CANNOT BE READ/)
  for (let at = 0; at < TYPED_DATA.length; at++)
    for (const other of ['', '"', '9'])
      await sameInBoth(shown(asked(TYPED_DATA.slice(0, at) + other + TYPED_DATA.slice(at + 1)), {}))
  // The same payload in the other spelling of the request, of which there may be several.
  await sameInBoth(
    shown(
      request('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
        signWith: 'key',
        payloads: [TYPED_DATA, TYPED_DATA.slice(1)],
        encoding: 'PAYLOAD_ENCODING_EIP712',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      }),
      {},
    ),
  )
})

test('what stands in the place of code for signing typed data refuses whatever asks it', async () => {
  const file = new URL('../../console/platform/typed-data.ts', import.meta.url)
  // Functions, of which each throws.
  const stubs = Object.values((await import(file.href)) as Readonly<Record<string, () => void>>)
  assert.equal(stubs.length, 3)
  for (const stub of stubs) assert.throws(stub, /typed data is read by its own words/)
})

test('the page verifies every kind of stamp as the command line does', async () => {
  const message = request('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'ü', userIds: [] })
  for (const scheme of [
    'SIGNATURE_SCHEME_TK_API_P256',
    'SIGNATURE_SCHEME_TK_API_SECP256K1',
    'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
    'SIGNATURE_SCHEME_TK_API_ED25519',
  ] as const) {
    const header = stampWith(stampKeyFrom(scheme, seeded), message).stampHeaderValue
    const stamp = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as object
    for (const body of [message, `${message} `]) await sameInBoth(shown(body, stamp))
    const checked = await page(shown(message, stamp), ORGANIZATION)
    assert.equal(checked?.stamp.kind, 'verified')
  }
  const passkey = createAuthenticator({ randomBytes: seeded })
  const signature = passkey.assert(message, 'https://a.example').stampHeaderValue
  const stamp = { publicKey: passkey.publicKey, signature, scheme: 'SIGNATURE_SCHEME_TK_WEBAUTHN' }
  for (const body of [message, `${message} `]) await sameInBoth(shown(body, stamp))
})
