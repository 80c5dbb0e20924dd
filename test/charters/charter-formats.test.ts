import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { Charter } from '../../src/trusted/charter/charter.ts'
import { CHARTER_FORMAT, readCharter, writeCharter } from '../../src/trusted/charter/charter-document.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { openVault } from '../../src/trusted/vault/vault.ts'
import { testWorld } from '../support/service.ts'
import { filledCharter } from './filled-charter.ts'

// Charters as versions of Claviger have stored them. Once a version is out its file is never changed.

const golden = (name: string): string => readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8').trim()

test('a charter is stored as the golden file of the newest format has it: a new field needs a new format', () => {
  assert.equal(writeCharter(filledCharter), golden(`format-${CHARTER_FORMAT}`))
})

test('every format has its golden file, and is read as the newest one', () => {
  for (let format = 0; format <= CHARTER_FORMAT; format++) {
    assert.ok(existsSync(new URL(`format-${format}.json`, import.meta.url)), `format ${format}`)
    assertWhole(readCharter(golden(`format-${format}`)))
  }
  assert.deepEqual(readCharter(golden(`format-${CHARTER_FORMAT}`)), filledCharter)
})

test('a charter that lived before formats had numbers loses nothing, and lacks nothing', () => {
  const stored = JSON.parse(golden('format-0-lived'))
  const charter = readCharter(golden('format-0-lived'))
  assertWhole(charter)
  const users = charter.users.map((user, at) => ({ ...user, ...stored.users[at] }))
  assert.deepEqual({ ...charter, ...stored, users }, charter)
})

test('the first charter of all, which knew of little, is read with everything else empty', () => {
  const first = {
    organizationId: 'o',
    organizationName: 'First',
    parentId: null,
    version: 1,
    deleted: false,
    createdAt: 1,
    updatedAt: 1,
    rootQuorum: { threshold: 1, userIds: ['u'] },
    users: [{ userId: 'u', userName: 'Ada', apiKeys: [], createdAt: 1, updatedAt: 1 }],
  }
  const charter = readCharter(JSON.stringify(first))
  assertWhole(charter)
  assert.deepEqual(readCharter(writeCharter(charter)), charter)
})

test('a charter that is founded has every field that must be there, and none that a filled one has not', async () => {
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
  const vault = openVault({ world: testWorld(1), keyring, activities: [] })
  const { unit } = await vault.establish({
    organizationName: 'First',
    userName: 'Ada',
    apiKeyName: 'Key',
    publicKey: '02c3783dd769e9d157f859a78ef764d524de652b486ca0023173afc655fe9cda7d',
    curveType: 'API_KEY_CURVE_P256',
  })
  const body = unit.charters[0]?.body ?? ''
  assert.equal(JSON.parse(body).format, CHARTER_FORMAT)
  assertWhole(readCharter(body))
})

test('a format that is not known is refused, and not taken for one that is', () => {
  for (const format of [CHARTER_FORMAT + 1, -1, 0.5, '1', null])
    assert.throws(() => readCharter(JSON.stringify({ ...filledCharter, format })), /format/, String(format))
})

/** All that may not be left out is there, and nothing that the type does not know. */
function assertWhole(charter: Charter): void {
  assert.deepEqual(Object.keys(charter).toSorted(), Object.keys(filledCharter).toSorted())
  const [filledUser] = filledCharter.users
  const optional = ['userEmail', 'userPhoneNumber']
  for (const user of charter.users) {
    const missing = Object.keys(filledUser).filter((name) => !Object.hasOwn(user, name))
    assert.deepEqual(
      missing.filter((name) => !optional.includes(name)),
      [],
    )
    assert.deepEqual(
      Object.keys(user).filter((name) => !Object.hasOwn(filledUser, name)),
      [],
    )
  }
}
