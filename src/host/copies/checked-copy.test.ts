import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { checkedManifest } from './checked-copy.ts'
import { type CopyBeginning, type CopyManifest, fieldsOfTables, manifestChallenge } from './copy-file.ts'
import { TableDigests } from './table-digests.ts'

const about = { claviger: '1.0.0', schema: 1, copiedAt: 1_700_000_000_000, lastJob: 7 }
const archive = { month: '2026-10', part: 1, leastId: 'a', greatestId: 'b', rootVersion: 1 }

// A holder of the identity of a recipient can encrypt a copy anew behind another beginning. Nobody but the vault
// proves a manifest.
test('the beginning of a copy, and its rows, are those of the manifest that the vault has proven', async (t) => {
  const { vault, close } = await aService()
  t.after(close)
  // All tables are there.
  const fields = fieldsOfTables() as CopyBeginning['fields']
  for (const what of [{}, { organizationId: 'one' }, { archive }]) {
    const proven: CopyManifest = { ...about, ...what, tables: new TableDigests().result() }
    const manifest = JSON.stringify(proven)
    const proof = await vault.proveRoot(manifestChallenge(manifest))
    const read = async (changed: object, digests = new TableDigests(), end = { manifest, proof }) =>
      await checkedManifest(end, { digests, beginning: { ...about, ...what, fields, ...changed } }, vault)
    assert.deepEqual(await read({}), proven)

    const isOther = /its rows are not those of its manifest/
    for (const changed of [
      { copiedAt: about.copiedAt - 1 },
      { lastJob: 0 },
      { organizationId: 'another' },
      { archive: { ...archive, part: 2 } },
      ...('organizationId' in what ? [{ organizationId: undefined }] : []),
      ...('archive' in what ? [{ archive: undefined }] : []),
    ])
      await assert.rejects(read(changed), isOther, JSON.stringify(changed))
    const others = new TableDigests()
    others.add({ table: 'notes', rows: [{ name: 'a', value: 'b' }] })
    await assert.rejects(read({}, others), isOther)

    const lower = JSON.stringify({ ...proven, lastJob: 0 })
    await assert.rejects(
      read({ lastJob: 0 }, new TableDigests(), { manifest: lower, proof }),
      /another root key/,
    )
  }
})
