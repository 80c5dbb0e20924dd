import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from './commit-share.ts'
import { groupCommit } from './group-commit.ts'
import { aRecord, aRequest } from './testing/fixtures.ts'

test('units of one turn of the event loop share a commit, those of the next have their own', async () => {
  const batches: number[][] = []
  const group = groupCommit<number, number>((units) => {
    batches.push([...units])
    return units.map((unit) => unit * 2)
  })
  assert.deepEqual(await Promise.all([1, 2, 3].map((unit) => group.commit(unit))), [2, 4, 6])
  assert.equal(await group.commit(4), 8)
  assert.deepEqual(batches, [[1, 2, 3], [4]])
  assert.deepEqual(group.tried(), { batches: 2, units: 4 })
})

test('units that arrive while a commit is under way share the next one, and there is one at a time', async () => {
  const started: { units: readonly number[]; finish: () => void }[] = []
  let underWay = 0
  const group = groupCommit<number, number>(
    (units) =>
      new Promise((resolve) => {
        underWay += 1
        assert.equal(underWay, 1)
        const finish = () => {
          underWay -= 1
          resolve(units)
        }
        started.push({ units, finish })
      }),
  )
  const first = group.commit(1)
  await turn()
  const later = [2, 3].map((unit) => group.commit(unit))
  await turn()
  const last = group.commit(4)
  await turn()
  assert.deepEqual(
    started.map((batch) => batch.units),
    [[1]],
  )

  started[0]?.finish()
  await first
  await turn()
  assert.deepEqual(
    started.map((batch) => batch.units),
    [[1], [2, 3, 4]],
  )
  started[1]?.finish()
  assert.deepEqual(await Promise.all([...later, last]), [2, 3, 4])
})

test('if a writer does not answer for each unit, none of the batch is acknowledged', async () => {
  const answers: readonly (() => readonly number[] | Promise<readonly number[]>)[] = [
    () => [1],
    async () => [1],
    () => [1, 2, 3],
  ]
  for (const write of answers) {
    const group = groupCommit<number, number>(write)
    const told: string[] = []
    for (const unit of [1, 2])
      void group.commit(unit).then(
        () => told.push('acknowledged'),
        (error: unknown) => told.push(String(error)),
      )
    for (let turns = 0; turns < 3; turns++) await turn()
    assert.deepEqual(told, Array(2).fill('Bug: a batch has one result per unit'))
  }
})

test('a batch has a size that it does not exceed, and order is kept', async () => {
  const batches: number[] = []
  const written: number[] = []
  const group = groupCommit<number, number>(
    (units) => {
      batches.push(units.length)
      written.push(...units)
      return units
    },
    { costMax: 4 },
  )
  const units = Array.from({ length: 10 }, (_, n) => n)
  await Promise.all(units.map((unit) => group.commit(unit)))
  assert.deepEqual(batches, [4, 4, 2])
  assert.deepEqual(written, units)
})

test('a unit of a quiet tenant is in the next commit, however much another one has put in before', async () => {
  const batches: string[][] = []
  const group = groupCommit<string, string>(
    (units) => {
      batches.push([...units])
      return units
    },
    { costMax: 10 },
  )
  const loud = Array.from({ length: 100 }, (_, n) => group.commit(`loud ${n}`, { flow: 'loud', cost: 5 }))
  await Promise.all([...loud, group.commit('quiet', { flow: 'quiet', cost: 1 })])

  assert.ok(batches[0]?.includes('quiet'), `the first commit was of ${batches[0]?.join(', ')}`)
})

test('a unit that writes more rows than one commit takes has a commit of its own', async () => {
  const batches: string[][] = []
  const group = groupCommit<string, string>(
    (units) => {
      batches.push([...units])
      return units
    },
    { costMax: 10 },
  )
  const dear = group.commit('dear', { flow: 'A', cost: 1000 })
  await Promise.all([dear, ...['a', 'b'].map((unit) => group.commit(unit, { flow: 'B', cost: 1 }))])
  assert.deepEqual(
    batches.map((batch) => batch.length).toSorted((a, b) => a - b),
    [1, 2],
  )
})

for (const way of ['throws', 'rejects'] as const)
  test(`a batch whose writing ${way} fails its own units and no others`, async () => {
    let broken = true
    const group = groupCommit<number, number>((units) => {
      if (!broken) return units
      const error = new Error('disk full')
      if (way === 'throws') throw error
      return Promise.reject(error)
    })
    const results = await Promise.allSettled([1, 2].map((unit) => group.commit(unit)))
    assert.deepEqual(
      results.map((result) => result.status),
      ['rejected', 'rejected'],
    )
    broken = false
    assert.equal(await group.commit(3), 3)
  })

test('closing settles what was taken and takes nothing more', async () => {
  const group = groupCommit<number, number>(async (units) => units, { costMax: 2 })
  const taken = [1, 2, 3, 4, 5].map((unit) => group.commit(unit))
  const closings = [group.close(), group.close()]
  await assert.rejects(group.commit(6), { name: 'StoreError', kind: 'closed' })
  await Promise.all(closings)
  assert.deepEqual(await Promise.all(taken), [1, 2, 3, 4, 5])
  await group.close()
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('a commit is in the turn of a top-level organization, also where the audit stream is told of it', () => {
  for (const audience of [
    ['parent', '@audit'],
    ['sub', 'parent', '@audit'],
    ['sub', 'parent'],
  ])
    assert.equal(shareOf(aRecord(aRequest(1), [], audience)).flow, 'parent')
})
