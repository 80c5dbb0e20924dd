import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveNoteName, archiveText } from '../copies/archive-note.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { renewArchives } from './archive-notes.ts'

/** A vault whose proofs say under which version they are. */
function aVault(version: number) {
  return {
    proveRoot: async (challenge: string) => `${version} ${challenge}`,
    checkRootProof: async ({ challenge, proof }: { readonly challenge: string; readonly proof: string }) =>
      /^\d+ /.test(proof) && proof.endsWith(` ${challenge}`) ? ('own' as const) : ('foreign' as const),
  }
}

function aText(part: number): string {
  const [sha256, file] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const ids = { leastId: 'a', greatestId: 'b' }
  return archiveText({ month: '2026-03', part, activities: 5, ...ids, sha256, file, rootVersion: 2 })
}

test('notes of archives are proven anew, and one that somebody else has written gets no proof', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const noteOf = async (part: number) => await store.note(archiveNoteName({ month: '2026-03', part }))
  const proven = async (part: number, version: number): Promise<string> =>
    `${aText(part)}\t${await aVault(version).proveRoot(aText(part))}\n`
  // The proof of another note, as somebody has it who writes to the database.
  const forged = `${aText(2)}\t${await aVault(1).proveRoot(aText(1))}\n`
  const notes = [await proven(1, 1), forged, await proven(3, 1)]
  for (const [at, note] of notes.entries())
    await store.noteOnce(archiveNoteName({ month: '2026-03', part: at + 1 }), note)

  assert.equal(await renewArchives(store, aVault(2)), true)
  const renewed = [await proven(1, 2), forged, await proven(3, 2)]
  assert.deepEqual(await Promise.all([1, 2, 3].map(noteOf)), renewed)

  // Where a note is changed meanwhile, the version before may not be retired.
  assert.equal(await renewArchives({ ...store, replaceNote: async () => false }, aVault(3)), false)
  assert.equal(await renewArchives({ ...store, replaceNote: async () => false }, aVault(2)), true)
})
