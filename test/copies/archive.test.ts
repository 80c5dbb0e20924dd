import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ARCHIVED_AFTER_DAYS_MIN, archivable } from '../../src/host/copies/archivable.ts'
import type { ArchivedFile, ArchiveStep } from '../../src/host/copies/archive-month.ts'
import { verifiedArchive } from '../../src/host/copies/verified-archive.ts'
import { eraseOrganization } from '../../src/host/copies/erase-organization.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { restoredText } from '../../src/trusted/vault/memory/restored-copy.ts'
import { RESTORED_NOTE } from '../../src/host/copies/restored-note.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { done, populate, signing, submission } from '../tampering/populated.ts'
import {
  activitiesOf,
  aFolder,
  archived,
  archivedRows,
  byId,
  DAY_MS,
  engines,
  type History,
  placeOf,
  problemsIn,
  sqlite,
  withHistory,
} from './history.ts'

const MINUTE_MS = 60_000

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: settled activities of past months go into a file each, and everything else stays as it is`, async () => {
    await withHistory(open, async (history) => {
      const { store, service, populated, before, folder } = history
      const files = await archived(history)

      assert.deepEqual(
        files.map(({ month, part, path }) => [month, part, path]),
        [
          ['2026-11', 1, join(folder, 'activities-2026-11.claviger')],
          ['2026-12', 1, join(folder, 'activities-2026-12.claviger')],
        ],
      )
      const standing = await activitiesOf(store)
      const inFiles = await archivedRows(history)
      assert.deepEqual([...standing, ...inFiles].toSorted(byId), before.toSorted(byId))
      assert.deepEqual(
        standing.map(({ status, updatedAt }) => [status, new Date(updatedAt).toISOString().slice(0, 7)]),
        [
          ['ACTIVITY_STATUS_CONSENSUS_NEEDED', '2026-11'],
          ['ACTIVITY_STATUS_CONSENSUS_NEEDED', '2026-11'],
          ['ACTIVITY_STATUS_COMPLETED', '2027-03'],
        ],
      )
      for (const name of readdirSync(folder))
        assert.ok(!readFileSync(join(folder, name)).includes(populated.root.userId), 'it is encrypted')
      assert.deepEqual(await problemsIn(history), [])
      assert.deepEqual(await archived(history), [], 'a second run has nothing to do')

      const signature = inFiles.find(({ activityId }) => activityId === populated.signedId)
      assert.ok(signature !== undefined)
      const again = await service.send(populated.signed)
      assert.equal(again.status, 400, again.text)
      assert.match(again.text, /INVALID_TIME|not live|older|hour/)
      assert.deepEqual(await activitiesOf(store), standing, 'the same bytes have no second effect')
    })
  })

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: a run that is killed at any step loses nothing, and the next ones archive each activity once`, async () => {
    await withHistory(open, async (history) => {
      const killed = new Error('killed')
      const steps = new Set<ArchiveStep>()
      for (let last = 1, isDone = false; !isDone; last++) {
        let at = 0
        isDone = await archived(history, {
          paused: (step) => {
            steps.add(step)
            if (++at === last) throw killed
          },
        }).then(
          () => true,
          (error) => {
            assert.equal(error, killed)
            return false
          },
        )
        const there = new Map(
          [...(await archivedRows(history)), ...(await activitiesOf(history.store))].map((row) => [
            row.activityId,
            row,
          ]),
        )
        assert.deepEqual([...there.values()].toSorted(byId), history.before.toSorted(byId))
      }
      assert.deepEqual([...steps].toSorted(), ['noted', 'placed', 'read', 'removed', 'verified', 'written'])
      const all = [...(await archivedRows(history)), ...(await activitiesOf(history.store))]
      assert.deepEqual(all.toSorted(byId), history.before.toSorted(byId))
      assert.deepEqual(await problemsIn(history), [])
      assert.equal(readdirSync(history.folder).length, 2)
    })
  })

test('of two runs at once one fails, and nothing is lost', async () => {
  await withHistory(sqlite, async (history) => {
    let isFirst = true
    const other: ArchivedFile[][] = []
    await assert.rejects(
      archived(history, {
        fileBeside: (path) => `${path}.of-another-machine`,
        paused: async (step) => {
          if (step !== 'written' || !isFirst) return
          isFirst = false
          other.push([...(await archived(history))])
        },
      }),
      /activities-2026-11\.claviger was written by another run in the meantime/,
    )
    assert.equal(other.length, 1)
    const all = [...(await archivedRows(history)), ...(await activitiesOf(history.store))]
    assert.deepEqual(all.toSorted(byId), history.before.toSorted(byId))
    assert.deepEqual(await problemsIn(history), [])
  })
})

test('what a delivery is still about stays, and goes into a further part once it is done', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, populated } = history
    const { organizationId } = populated.root
    const told = {
      scope: organizationId,
      target: 'x',
      organizationId,
      activityId: populated.signedId,
      revision: 1,
    }
    await store.addWebhooks([told], START)
    await archived(history)
    assert.ok((await store.activity(organizationId, populated.signedId)) !== undefined)

    for (const { sequence } of await store.takeJobs({ now: START, leaseMs: 1, limit: 100 }))
      await store.finishJob(sequence)
    const second = join(history.folder, 'activities-2026-11-2.claviger')
    writeFileSync(second, readFileSync(join(history.folder, 'activities-2026-11.claviger')))
    await assert.rejects(archived(history), /2\.claviger is not the archive of 2026-11, part 2/)
    assert.equal(await store.note('archived 2026-11 2'), undefined)
    rmSync(second)
    const files = await archived(history)
    assert.deepEqual(
      files.map(({ month, part, activities }) => [month, part, activities]),
      [['2026-11', 2, 1]],
    )
    assert.ok(existsSync(second))
    assert.deepEqual(await problemsIn(history), [])
  })
})

test('a clock that is ahead archives nothing that may be live', async () => {
  await withHistory(sqlite, async (history) => {
    const ahead = await archivable(history.store, {
      now: START + 5_000 * DAY_MS,
      olderThanDays: ARCHIVED_AFTER_DAYS_MIN,
      paused: () => {},
    })
    assert.deepEqual([...ahead.months.keys()], ['2026-11', '2026-12'])
  })
})

test('a row that is not as it was sealed is named, and its month stays in the store', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, populated } = history
    const [row] = (await activitiesOf(store)).filter(({ activityId }) => activityId === populated.signedId)
    assert.ok(row !== undefined)
    const key = [row.organizationId, row.activityId]
    await store.reseal([{ table: 'activities', key, from: row.seal, to: '2.1.AAAA' }])
    await assert.rejects(archived(history), new RegExp(`activity ${row.activityId} .*its seal does not hold`))
    assert.equal((await activitiesOf(store)).length, history.before.length)
    assert.deepEqual(readdirSync(history.folder), [])
  })
})

test('a file that was damaged or exchanged before the removal removes nothing', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, folder, before } = history
    const killed = new Error('killed')
    const kill = (step: ArchiveStep): void => {
      if (step === 'placed') throw killed
    }
    await assert.rejects(archived(history, { paused: kill }), killed)
    const path = join(folder, 'activities-2026-11.claviger')
    const whole = readFileSync(path)
    const flipped = Buffer.from(whole)
    const middle = Math.floor(whole.length / 2)
    flipped[middle] = (flipped[middle] ?? 0) ^ 1
    for (const [bytes, problem] of [
      [flipped, /damaged.* no note names it: .* delete it, and repeat the command/],
      [whole.subarray(0, whole.length - 20), /damaged/],
      [Buffer.alloc(0), /not a backup of Claviger/],
    ] as const) {
      writeFileSync(path, bytes)
      await assert.rejects(archived(history), problem)
      assert.equal((await activitiesOf(store)).length, before.length)
    }
    writeFileSync(path, whole)
    const noted = (step: ArchiveStep): void => {
      if (step === 'noted') throw killed
    }
    await assert.rejects(archived(history, { paused: noted }), killed)
    writeFileSync(path, flipped)
    await assert.rejects(archived(history), /activities-2026-11\.claviger: .*damaged/)
    rmSync(path)
    await assert.rejects(archived(history), /2026-11\.claviger was made, but is not in .*: put it there/)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal((await activitiesOf(store)).length, before.length)
    writeFileSync(join(folder, 'activities-2026-12.claviger'), whole)
    writeFileSync(path, whole)
    await assert.rejects(archived(history), /activities-2026-12.claviger is not the archive of 2026-12/)
    rmSync(join(folder, 'activities-2026-12.claviger'))
    await archived(history)
    assert.deepEqual(await problemsIn(history), [])
  })
})

test('a file with a row that the vault does not know as its own removes nothing, nor does one of a newer version', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, service, before, folder } = history
    await assert.rejects(archived(history, { schema: SCHEMA_STEP + 1 }), /newer version/)
    assert.equal((await activitiesOf(store)).length, before.length)
    rmSync(join(folder, 'activities-2026-11.claviger'))
    await archived(history)
    const file = present(await placeOf(folder).open('activities-2026-11.claviger'), 'the file')
    const wrong = [1, 2, 3].map((at) => ({ what: `activity ${at}`, problem: 'its seal does not hold' }))
    for (const [count, told] of [
      [1, /: activity 1: its seal does not hold; claviger verify/],
      [3, /: activity 1: its seal does not hold, and 2 more rows; claviger verify/],
    ] as const) {
      const vault = {
        ...service.vault,
        verify: async (request: Parameters<Vault['verify']>[0]) => ({
          ...(await service.vault.verify(request)),
          problems: wrong.slice(0, count),
        }),
      }
      const name = { month: '2026-11', part: 1 }
      await assert.rejects(verifiedArchive(file, { vault, identities: [] }, name), told)
    }
  })
})

test('a file that was found in its place survives a loss of power before a note names it', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, folder } = history
    const killed = new Error('killed')
    const kill = (step: ArchiveStep): void => {
      if (step === 'placed') throw killed
    }
    await assert.rejects(archived(history, { paused: kill }), killed)
    const events: string[] = []
    const place = placeOf(folder)
    const settle = async (): Promise<void> => {
      events.push('settled')
      await place.settle()
    }
    const noteOnce: Store['noteOnce'] = async (name, value) => {
      events.push(name)
      return await store.noteOnce(name, value)
    }
    await archived({ ...history, place: { ...place, settle } }, { store: { ...store, noteOnce } })
    assert.deepEqual(events, ['settled', 'archived 2026-11 1', 'settled', 'archived 2026-12 1'])
  })
})

test('a row that was sealed anew after it was written is removed, and one that says something else is not', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, populated } = history
    const rowAt = async (id: string) => await store.activity(populated.root.organizationId, id)
    const resealed = async (row: ActivityRow): Promise<void> => {
      const key = [row.organizationId, row.activityId]
      assert.equal(await store.reseal([{ table: 'activities', key, from: row.seal, to: 'anew' }]), 1)
    }
    const signature = await rowAt(populated.signedId)
    assert.ok(signature !== undefined)
    const lying = {
      ...store,
      activity: async (organizationId: string, id: string) => {
        const row = await store.activity(organizationId, id)
        return row === undefined ? row : { ...row, result: '{}' }
      },
    }
    const onNoted = async (step: ArchiveStep): Promise<void> => {
      if (step === 'noted' && (await rowAt(populated.signedId))?.seal === signature.seal)
        await resealed(signature)
    }
    await assert.rejects(archived(history, { store: lying, paused: onNoted }), /is another one in the store/)
    assert.ok((await rowAt(populated.signedId)) !== undefined)
    const stuck = { ...store, removeActivities: async () => 0 }
    await assert.rejects(archived(history, { store: stuck }), /cannot be removed from the store/)
    await archived(history)
    assert.equal(await rowAt(populated.signedId), undefined)
  })
})

test('what is erased between the writing of a file and the removal stays in the store as erased, and holds up nothing', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, service, populated, before } = history
    const { organizationId } = populated.sub
    await done(service, populated.sub, 'DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
    service.world.advance(66 * MINUTE_MS)
    const killed = new Error('killed')
    const kill = (step: ArchiveStep): void => {
      if (step === 'noted') throw killed
    }
    await assert.rejects(archived(history, { paused: kill }), killed)
    const { activities } = await eraseOrganization(
      { store, vault: service.vault, paused: async () => {} },
      organizationId,
    )
    const founding = before.find(({ result }) => result?.includes(organizationId))
    const erasedOf = async () =>
      (await activitiesOf(store)).filter(({ evaluations }) => evaluations.includes('"erased":'))
    const erased = await erasedOf()
    assert.equal(erased.length, activities + 1)
    const ofMonth = erased.filter(({ updatedAt }) => updatedAt < START + 10 * DAY_MS)
    const forged = {
      ...store,
      activity: async (of: string, id: string) => {
        const row = await store.activity(of, id)
        return row?.evaluations.includes('"erased":') === true ? { ...row, evaluations: '[]' } : row
      },
    }
    await assert.rejects(archived(history, { store: forged }), /^CopyError: activity .*seal/)
    assert.deepEqual(await erasedOf(), erased)

    const files = await archived(history)
    assert.deepEqual(
      files.map(({ month, part, stay }) => [month, part, stay]),
      [
        ['2026-11', 1, ofMonth.length],
        ['2026-12', 1, 0],
      ],
    )
    assert.deepEqual(await erasedOf(), erased)
    const again = await archived(history)
    assert.deepEqual(
      again.map(({ month, part, activities: gone, stay }) => [month, part, gone, stay]),
      [['2026-11', 1, 0, ofMonth.length]],
    )
    const inFiles = (await archivedRows(history)).map(({ activityId }) => activityId)
    assert.equal(new Set(inFiles).size, inFiles.length, 'no activity is in two files')
    const standing = (await activitiesOf(store)).map(({ activityId }) => activityId)
    const all = new Set([...standing, ...inFiles])
    for (const { activityId } of before) assert.ok(all.has(activityId), 'nothing is lost')
    assert.ok(founding !== undefined && standing.includes(founding.activityId))
    assert.deepEqual(await problemsIn(history), [])
  })
})

test('a file from before a restore that says something else of an activity stays, and the next part is made', async () => {
  const folder = aFolder()
  await withDecision('APPROVE_ACTIVITY', folder, async (lost) => {
    await archived(lost)
  })
  const left = readFileSync(join(folder, 'activities-2026-11.claviger'))
  await withDecision('REJECT_ACTIVITY', folder, async (history) => {
    const { store, service, before } = history
    await assert.rejects(archived(history), /is another one in the store than in the archive/)
    assert.equal(await store.note('archived 2026-11 1'), undefined)
    const { vault } = service
    const text = restoredText({ copiedAt: START, lostAt: START })
    await store.noteOnce(RESTORED_NOTE, `${text}\t${await vault.proveRoot(text)}\n`)

    const files = await archived(history)
    assert.deepEqual(
      files.map(({ month, part, isOther = false }) => [month, part, isOther]),
      [
        ['2026-11', 1, true],
        ['2026-11', 2, false],
      ],
    )
    assert.deepEqual(readFileSync(join(folder, 'activities-2026-11.claviger')), left)
    assert.deepEqual(await problemsIn(history), [
      'archive activities-2026-11.claviger: the store has no note of it',
    ])
    rmSync(join(folder, 'activities-2026-11.claviger'))
    assert.deepEqual(await problemsIn(history), [])
    assert.deepEqual(await archived(history), [])
    const all = [...(await activitiesOf(store)), ...(await archivedRows(history))]
    assert.deepEqual(all.toSorted(byId), before.toSorted(byId))
  })
})

/** The same history each time, up to this decision of a vote. */
async function withDecision(
  decision: 'APPROVE_ACTIVITY' | 'REJECT_ACTIVITY',
  folder: string,
  body: (history: History) => Promise<void>,
): Promise<void> {
  const store = await sqlite()
  try {
    const service = await openServiceOn(store, testWorld(1, START))
    const populated = await populate(service, store)
    const { world } = service
    const { root, keyId, waitingForApproval: fingerprint } = populated
    await service.send(submission(world, root, decision, { fingerprint }))
    world.advance(105 * DAY_MS)
    await service.send(signing(world, root, keyId, '07'))
    await body({ store, service, populated, before: await activitiesOf(store), folder })
  } finally {
    await store.close()
  }
}

test('a file that is missing, exchanged or without a note, and a note that nobody has proven, are found', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, folder } = history
    await archived(history)
    const path = join(folder, 'activities-2026-11.claviger')
    const whole = readFileSync(path)
    rmSync(path)
    assert.deepEqual(await problemsIn(history), [
      `archive activities-2026-11.claviger: ${await notedActivities(store, '2026-11')} activities were archived in it, and it is not in ${folder}`,
    ])
    writeFileSync(path, whole)

    const name = 'archived 2026-11 1'
    const note = await store.note(name)
    assert.ok(note !== undefined)
    const fewer = note.replace(/: \d+ activities/, ': 1 activities')
    for (const [value, problems] of [
      [fewer, 2],
      ['nonsense', 2],
      [note.replace('2026-11 1', '2026-11 2'), 2],
      [note.replace(/\t.*/, '\tforged'), 1],
    ] as const) {
      await store.replaceNote(name, await noteOf(store, name), value)
      const found = await problemsIn(history)
      assert.equal(found.length, problems, found.join('\n'))
      assert.match(found[0] ?? '', /^note archived 2026-11 1: its proof is not one of this root key/)
    }
    await store.replaceNote(name, await noteOf(store, name), null)
    assert.deepEqual(await problemsIn(history), [
      'archive activities-2026-11.claviger: the store has no note of it',
    ])
    await store.replaceNote(name, null, note)

    // The file of another store under the same root key, and of the same month.
    await withHistory(
      sqlite,
      async (other) => {
        await archived(other)
        writeFileSync(path, readFileSync(join(other.folder, 'activities-2026-11.claviger')))
      },
      2,
    )
    assert.deepEqual(await problemsIn(history), [
      'archive activities-2026-11.claviger: it is not the file that was noted when it was made',
    ])
    await archived(history)
    writeFileSync(path, whole)
    assert.deepEqual(await problemsIn(history), [])
  })
})

async function noteOf(store: Store, name: string): Promise<string> {
  return (await store.note(name)) ?? assert.fail(name)
}

async function notedActivities(store: Store, month: string): Promise<string> {
  return /: (\d+) activities/.exec(await noteOf(store, `archived ${month} 1`))?.[1] ?? ''
}
