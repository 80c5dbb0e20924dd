import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openArchivePlace } from '../../src/host/app/open-archive-place.ts'
import { archivedActivities } from '../../src/host/copies/archives/archived-activities.ts'
import type { ArchivePlace } from '../../src/host/copies/archive-place.ts'
import { CopyError } from '../../src/host/copies/copy-error.ts'
import type { ArchiveStep } from '../../src/host/copies/archive-month.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { Pace, Work } from '../../src/trusted/base/work.ts'
import { packagesMissing } from '../support/packages-missing.ts'
import { anS3, s3Error } from '../support/storage/s3-server.ts'
import {
  activitiesOf,
  archived,
  archivedRows,
  byId,
  type History,
  problemsIn,
  sqlite,
  withHistory,
} from './history.ts'

const skip = packagesMissing('s3')
const NOVEMBER = 'claviger/activities-2026-11.claviger'
const DECEMBER = 'claviger/activities-2026-12.claviger'

test('a run that is killed at any step, also of an upload, loses nothing, and the next ones archive each activity once', {
  skip,
}, async (t) => {
  let left = Infinity
  // From some request on nothing comes any more: before it was done, or when it was done.
  let isDone = false
  const { history, wrong, objects } = await inABucket(t, (_, done) => {
    if (--left > 0) return undefined
    if (isDone && left === 0) done()
    return 'end'
  })
  await history(async (own) => {
    let ended = false
    for (let last = 1; !ended; last++)
      for (isDone of [false, true]) {
        left = last
        ended = await archived(own).then(
          () => true,
          (error) => {
            assert.match(String(error), /cannot be reached, or does not answer in time/)
            return false
          },
        )
        left = Infinity
        await isWhole(own)
        if (ended) break
      }
    const all = [...(await archivedRows(own)), ...(await activitiesOf(own.store))]
    assert.deepEqual(all.toSorted(byId), own.before.toSorted(byId))
    assert.deepEqual(await problemsIn(own), [])
  })
  assert.deepEqual([...objects.keys()].toSorted(), [NOVEMBER, DECEMBER])
  assert.deepEqual(wrong, [])
})

test('a run that is killed between two steps loses nothing either', { skip }, async (t) => {
  const { history } = await inABucket(t)
  await history(async (own) => {
    const killed = new Error('killed')
    for (let last = 1, ended = false; !ended; last++) {
      let at = 0
      const paused = (): void => {
        if (++at === last) throw killed
      }
      ended = await archived(own, { paused }).then(
        () => true,
        (error) => {
          assert.equal(error, killed)
          return false
        },
      )
      await isWhole(own)
    }
    assert.deepEqual(await problemsIn(own), [])
  })
})

test('a file that comes back wrong, short or as another one removes nothing', { skip }, async (t) => {
  const { history, objects } = await inABucket(t)
  await history(async (own) => {
    const kill = new Error('killed')
    const paused = (step: ArchiveStep): void => {
      if (step === 'placed') throw kill
    }
    await assert.rejects(archived(own, { paused }), kill)
    const whole = objects.get(NOVEMBER) ?? assert.fail()
    const flipped = Buffer.from(whole)
    const middle = Math.floor(whole.length / 2)
    flipped[middle] = (flipped[middle] ?? 0) ^ 1
    const endless = Buffer.from(whole)
    endless.writeUInt32BE(0xffffffff, whole.length - 4)
    const others: readonly (readonly [Buffer, RegExp])[] = [
      [flipped, /damaged/],
      [whole.subarray(0, -20), /damaged/],
      [endless, /damaged/],
      [Buffer.from('<html>'), /not a backup of Claviger/],
      [Buffer.alloc(0), /not a backup of Claviger/],
      [await ofAnotherService(t, true), /damaged.* it may be the only copy .* of another service/],
    ]
    for (const [bytes, why] of others) {
      objects.set(NOVEMBER, bytes)
      await assert.rejects(archived(own), why)
      assert.equal((await activitiesOf(own.store)).length, own.before.length)
    }
    objects.set(DECEMBER, whole)
    objects.set(NOVEMBER, whole)
    await assert.rejects(archived(own), /activities-2026-12\.claviger is not the archive of 2026-12/)
    objects.delete(DECEMBER)
    await archived(own)
    assert.deepEqual(await problemsIn(own), [])
  })
})

test('a file with a row that is wrong removes nothing, though it was written', { skip }, async (t) => {
  const { history } = await inABucket(t)
  await history(async (own) => {
    const { store, service, populated, before } = own
    const key = [populated.root.organizationId, populated.signedId]
    const row = await store.activity(populated.root.organizationId, populated.signedId)
    await store.reseal([{ table: 'activities', key, from: row?.seal ?? '', to: '2.1.AAAA' }])
    const killed = new Error('killed')
    const blind: Vault = {
      ...service.vault,
      verify: async () => ({ problems: [], claims: [], directory: [] }),
    }
    const paused = (step: ArchiveStep): void => {
      if (step === 'placed') throw killed
    }
    await assert.rejects(archived({ ...own, service: { ...service, vault: blind } }, { paused }), killed)
    await assert.rejects(archived(own), /its seal does not hold.*\. Nothing was removed from the store/)
    assert.equal((await activitiesOf(store)).length, before.length)
  })
})

test('what was exchanged, taken away or invented after the note is found, whatever the storage lists', {
  skip,
}, async (t) => {
  const { history, objects } = await inABucket(t)
  await history(async (own) => {
    await archived(own)
    const whole = objects.get(NOVEMBER) ?? assert.fail()
    const found = async () => (await problemsIn(own)).join('\n')

    for (const isForeign of [true, false]) {
      objects.set(NOVEMBER, await ofAnotherService(t, isForeign))
      assert.match(
        await found(),
        /^archive activities-2026-11\.claviger: .*(damaged|is not the file that was noted)/,
      )
    }
    objects.delete(NOVEMBER)
    assert.match(await found(), /11\.claviger: \d+ activities were archived in it, and it is not in s3:/)
    objects.set(NOVEMBER, whole)
    objects.set('claviger/activities-2026-10.claviger', whole)
    assert.equal(await found(), 'archive activities-2026-10.claviger: the store has no note of it')
    objects.delete('claviger/activities-2026-10.claviger')

    const { place } = own
    const omits = { ...own, place: { ...place, list: async () => [] } }
    assert.deepEqual(await problemsIn(omits), [], 'a file is looked for by its note')
    const invents = {
      ...own,
      place: { ...place, list: async () => ['../../x', 'activities-2020-01.claviger'] },
    }
    assert.deepEqual(await problemsIn(invents), [
      'archive activities-2020-01.claviger: the store has no note of it',
    ])
  })
})

test('an archive is verified in a few requests, and queries go on in it by ranges', { skip }, async (t) => {
  const { history, objects, asked } = await inABucket(t)
  await history(async (own) => {
    await archived(own)
    asked.splice(0)
    assert.deepEqual(await problemsIn(own), [])
    // Of each file: where it is, its beginning, and its only window.
    assert.deepEqual(asked.toSorted(), [
      'GetObject',
      'GetObject',
      'GetObject',
      'GetObject',
      'HeadObject',
      'HeadObject',
      'ListObjectsV2',
    ])
    const { store, service, populated, place } = own
    const archives = archivedActivities({ store, vault: service.vault, place })
    const { organizationId } = populated.root
    const work = new Work(new Pace(async () => {}), populated.root.organizationId)
    const row = await archives.activity(organizationId, populated.signedId, work)
    assert.equal(row?.activityId, populated.signedId)
    objects.set(NOVEMBER, Buffer.from('something else'))
    await assert.rejects(archives.activity(organizationId, populated.signedId, work), /was exchanged/)
  })
})

/** All activities of before are in the store or in an archive, as they were. */
async function isWhole(own: History): Promise<void> {
  const rows = [...(await archivedRows(own)), ...(await activitiesOf(own.store))]
  const there = new Map(rows.map((row) => [row.activityId, row]))
  assert.deepEqual([...there.values()].toSorted(byId), own.before.toSorted(byId))
}

type InABucket = History & { readonly place: ArchivePlace }

async function inABucket(
  t: TestContext,
  fault: NonNullable<Parameters<typeof anS3>[1]>['fault'] = () => undefined,
) {
  const storage = await anS3(t, { fault })
  Object.assign(process.env, storage.environment, { AWS_MAX_ATTEMPTS: '1' })
  const place = await openArchivePlace(`s3://${storage.bucket}/claviger`)
  const history = async (body: (own: InABucket) => Promise<void>, seed = 1): Promise<void> =>
    await withHistory(sqlite, async (own) => await body({ ...own, place }), seed)
  return { ...storage, history }
}

test('a storage that stops answering during a verification is no wrong file', { skip }, async (t) => {
  let left = Infinity
  const { history } = await inABucket(t, () => (--left > 0 ? undefined : 'end'))
  await history(async (own) => {
    await archived(own)
    // The files are listed, and then looked at.
    left = 2
    await assert.rejects(problemsIn(own), { message: /cannot be reached, or does not answer in time/ })
  })
})

test('credentials that expire in the middle, or lose their rights, say nothing of a file, and nobody is told to delete it', {
  skip,
}, async (t) => {
  let refusal: ReturnType<typeof s3Error> | undefined
  const { history, objects } = await inABucket(t, ({ operation }) =>
    operation === 'GetObject' ? refusal : undefined,
  )
  const refusals = [s3Error(400, 'ExpiredToken'), s3Error(403, 'AccessDenied'), s3Error(503, 'SlowDown')]
  await history(async (own) => {
    for (refusal of refusals) {
      await assert.rejects(archived(own), (error) => {
        assert.ok(error instanceof CopyError)
        assert.match(
          error.message,
          /activities-2026-11\.claviger: the storage .* (does not accept|refuses|failed)/,
        )
        assert.ok(!error.message.includes('delete'), error.message)
        return true
      })
      assert.ok(objects.has(NOVEMBER))
      assert.equal((await activitiesOf(own.store)).length, own.before.length)
    }
    refusal = undefined
    await archived(own)
    for (refusal of refusals)
      await assert.rejects(problemsIn(own), { message: /: the storage .* (does not accept|refuses|failed)/ })
  })
})

/** @param isForeign  under another root key */
async function ofAnotherService(t: TestContext, isForeign: boolean): Promise<Buffer> {
  const environment = { ...process.env }
  const { history, objects } = await inABucket(t)
  await history(async ({ service, ...own }) => {
    const { vault } = service
    const foreign: Vault = {
      ...vault,
      copyKey: async (asked) => {
        const { key = '', ...rest } = await vault.copyKey(asked)
        return { ...rest, key: key.replaceAll(/[0-9a-f]/g, (digit) => (digit === '0' ? '1' : '0')) }
      },
    }
    await archived({ ...own, service: isForeign ? { ...service, vault: foreign } : service })
  }, 2)
  Object.assign(process.env, environment)
  return objects.get(NOVEMBER) ?? assert.fail()
}
