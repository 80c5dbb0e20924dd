import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../../trusted/base/secret.ts'
import { openKeyring, type RootKeys } from '../../../trusted/vault/keys/keyring.ts'
import { countParts } from '../../../trusted/vault/seals/reseal.ts'
import { sealCount } from '../../../trusted/vault/seals/seals.ts'
import type { PassCount } from '../../../protocol/vault.ts'
import { PASS_END } from '../../rotation/pass.ts'
import type { Resealing } from '../../rotation/resealing-note.ts'
import { checkNothingLeft } from './retire-version.ts'

const ORDER = 'ab'.repeat(16)
const keys: RootKeys = {
  versions: [1, 2].map((version) => ({ version, secret: new Secret(new Uint8Array(32).fill(version)) })),
  seals: 2,
  service: [],
}

test('a version is retired on a count of the vault alone, of a whole pass that was asked for now', () => {
  const clean = { pass: `${ORDER} 2`, to: 2, place: PASS_END, rows: 9, found: [], unsealed: 0 }
  checkNothingLeft(keys, ORDER, resealing(counted(clean)))

  const notCounted: readonly (PassCount | null)[] = [
    null,
    // What a writer of the database would like it to say.
    { ...counted({ ...clean, found: [{ version: 1, rows: 3 }] }), found: [] },
    { ...counted({ ...clean, unsealed: 1 }), unsealed: 0 },
    { ...counted({ ...clean, place: '{"table":"charters"}' }), place: PASS_END },
    { ...counted({ ...clean, pass: 'before 1' }), pass: `${ORDER} 1` },
    // What the vault said of another pass, of half of one, and under another version.
    counted({ ...clean, pass: 'before 1' }),
    counted({ ...clean, place: '{"table":"jobs"}' }),
    counted({ ...clean, to: 1 }),
    { ...clean, seal: '2.2.AAAA' },
    // What a thief of the version that is to go would like it to say.
    { ...clean, seal: sealCount(openKeyring(keys.versions.slice(0, 1)), countParts(clean)) },
  ]
  for (const count of notCounted)
    assert.throws(() => checkNothingLeft(keys, ORDER, resealing(count)), /the vault has not counted all rows/)
  for (const left of [{ found: [{ version: 1, rows: 3 }] }, { unsealed: 1 }])
    assert.throws(
      () => checkNothingLeft(keys, ORDER, resealing(counted({ ...clean, ...left }))),
      /rows are left/,
    )
})

function counted(count: Omit<PassCount, 'seal'>): PassCount {
  return { ...count, seal: sealCount(openKeyring(keys.versions, keys), countParts(count)) }
}

function resealing(last: PassCount | null): Resealing {
  const rest = { order: ORDER, pass: '', passes: 1, state: 'done', count: null, resealed: 0 } as const
  return { ...rest, last, startedAt: 0, changedAt: 0, by: '', until: 0, troubles: [] }
}
