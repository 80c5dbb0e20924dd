import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../base/secret.ts'
import { type Keyring, openKeyring, originOf, type RootKeys } from './keyring.ts'
import { RootKeyError } from './root-key-error.ts'
import { SERVICE_PURPOSES } from '../../catalogue/service-purposes.ts'
import type { ServiceKey } from './service-secrets.ts'

const root = (version: number, byte = version) => ({
  version,
  secret: new Secret(new Uint8Array(32).fill(byte)),
})

function keys(versions: RootKeys['versions'], seals: number, service: readonly ServiceKey[] = []): RootKeys {
  return { versions, seals, service }
}

test('what seals is what the file says, and a file with the next version is taken while the key ring is in use', () => {
  const keyring = openKeyring([root(1)])
  keyring.adopt(keys([root(1), root(2)], 1))
  assert.deepEqual([keyring.version, keyring.holds(2)], [1, true])
  keyring.adopt(keys([root(1), root(2)], 2))
  assert.equal(keyring.version, 2)
  keyring.adopt(keys([root(2)], 2, serviceOf(keyring)))
  // It opens nothing any more, and what was seen under it can be compared still.
  assert.deepEqual([keyring.holds(1), keyring.hasHeld(1)], [false, true])
})

test('the versions are shown in their order, and a key of a version that there is not is derived from nothing', () => {
  const keyring = openKeyring([root(3), root(1), root(2)])
  assert.deepEqual(
    keyring.shown().versions.map(({ version }) => version),
    [1, 2, 3],
  )
  assert.throws(() => keyring.sealKey('charter', 4), { message: /root key version 4 is not in the key ring/ })
})

test('a file that is no later state of the one in use is refused, and changes nothing', () => {
  const keyring = openKeyring([root(1), root(2)], { seals: 2 })
  const refused: readonly [RootKeys, RegExp][] = [
    [keys([root(1), root(2)], 1), /version 1 seals by the root key file, and version 2 has sealed already/],
    [keys([root(1), root(2, 9)], 2), /version 2 of the root key file is another key/],
    [keys([root(1, 9), root(2)], 2), /version 1 of the root key file is another key/],
    [keys([root(2)], 2), /version 1 is gone .*, and the service's own keys with it/],
  ]
  for (const [file, why] of refused) {
    assert.throws(() => keyring.adopt(file), RootKeyError)
    assert.throws(() => keyring.adopt(file), why)
    assert.deepEqual([keyring.version, keyring.holds(1)], [2, true])
  }
})

test("the service's own keys stay what they are when the version that they derive from is retired", () => {
  const before = openKeyring([root(1)])
  const service = serviceOf(before)
  const after = openKeyring([root(2)], { service })
  for (const purpose of SERVICE_PURPOSES)
    assert.deepEqual(after.serviceSecret(purpose), before.serviceSecret(purpose), purpose)
})

test('the first version of a key of the service is known to derive from a version of the root key, also a retired one', () => {
  const [first] = openKeyring([root(1)]).serviceKeys('webhook')
  assert.ok(first !== undefined)
  assert.deepEqual(originOf(keys([root(1), root(2)], 2), first), { kind: 'held', version: 1 })
  assert.deepEqual(originOf(keys([root(2)], 2), first), { kind: 'retired' })
  assert.deepEqual(originOf(keys([root(1)], 1), { ...first, version: 2 }), { kind: 'random' })
})

test('a key of the service that was used already is not gone back to, and stays the key that it is', () => {
  const first = openKeyring([root(1)]).serviceKeys('webhook')
  const second = {
    purpose: 'webhook',
    version: 2,
    state: 'published',
    secret: new Secret(new Uint8Array(32).fill(5)),
  } as const
  const published = keys([root(1)], 1, [...first, second])
  const used = keys([root(1)], 1, [
    ...first.map((key) => ({ ...key, state: 'verifies' as const, until: 9 })),
    { ...second, state: 'used' },
  ])
  const keyring = openKeyring([root(1)])
  keyring.adopt(published)
  assert.deepEqual(keyring.serviceSecret('webhook'), first[0]?.secret.reveal())
  assert.deepEqual(
    keyring.shown().service.map(({ purpose, version, state }) => `${purpose} ${version} ${state}`),
    ['webhook 1 used', 'webhook 2 published'],
  )
  keyring.adopt(used)
  assert.deepEqual(keyring.serviceSecret('webhook'), second.secret.reveal())
  // Of other purposes the file has none: they derive as before.
  assert.deepEqual(keyring.serviceSecret('otp'), openKeyring([root(1)]).serviceSecret('otp'))

  const other = new Secret(new Uint8Array(32).fill(6))
  const refused: readonly [RootKeys, RegExp][] = [
    [
      published,
      /version 1 of the webhook key is used by the root key file, and version 2 has been used already/,
    ],
    [keys([root(1)], 1), /version 1 of the webhook key is used/],
    [
      keys([root(1)], 1, [{ ...second, state: 'used', secret: other }]),
      /version 2 of the webhook key is another key/,
    ],
    [keys([root(1)], 1, [second]), /the root key file has no webhook key that is used/],
  ]
  for (const [file, why] of refused) {
    assert.throws(() => keyring.adopt(file), RootKeyError)
    assert.throws(() => keyring.adopt(file), why)
    assert.deepEqual(keyring.serviceSecret('webhook'), second.secret.reveal())
  }
  // The one before may go when its time is over.
  keyring.adopt(keys([root(1)], 1, [{ ...second, state: 'used' }]))
  assert.equal(keyring.serviceKeys('webhook').length, 1)
})

test('a key has a name that tells it from another one and does not show its bytes', () => {
  const [one, other] = [1, 2].map((byte) => openKeyring([root(1, byte)]).shown().versions[0]?.id)
  assert.match(one ?? '', /^[0-9a-f]{16}$/)
  assert.notEqual(one, other)
  assert.ok(!'01'.repeat(32).includes(one ?? ''))
})

function serviceOf(keyring: Keyring): readonly ServiceKey[] {
  return SERVICE_PURPOSES.map((purpose) => ({
    purpose,
    version: 1,
    state: 'used',
    secret: new Secret(keyring.serviceSecret(purpose)),
  }))
}
