import assert from 'node:assert/strict'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { testWorld } from '../../../test/support/service.ts'
import { present } from '../../trusted/base/assert.ts'
import { type LineSink, openRequestLog, requestLogOf } from './request-log.ts'

type Write = { readonly text: string; readonly done: (error: unknown) => void }

/** A place to write to that says when it has written. */
function aSink(): { readonly writes: Write[]; readonly sink: LineSink } {
  const writes: Write[] = []
  return { writes, sink: { write: (text, done) => void writes.push({ text, done }), close: () => {} } }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('the lines of a turn are one write, and those that come while it is under way are the next', async () => {
  const { writes, sink } = aSink()
  const { note, close } = openRequestLog(sink, () => {})
  note('one\n')
  note('two\n')
  await turn()
  note('three\n')
  note('four\n')
  await turn()
  assert.deepEqual(
    writes.map(({ text }) => text),
    ['one\ntwo\n'],
  )
  writes[0]?.done(null)
  await turn()
  assert.equal(writes[1]?.text, 'three\nfour\n')
  const closed = close()
  writes[1]?.done(null)
  await closed
})

test('what cannot be written is said once when it begins and once when it is over, with how much was lost', async () => {
  const { writes, sink } = aSink()
  const events: string[] = []
  const { note } = openRequestLog(sink, (_, event, fields) =>
    events.push(`${event} ${fields?.['lost'] ?? ''}`),
  )
  for (const error of [new Error('full'), new Error('full'), null, null]) {
    note('one\n')
    note('two\n')
    await turn()
    writes.at(-1)?.done(error)
    await turn()
  }
  assert.deepEqual(events, ['request log fails ', 'request log written again 4'])
})

test('where writing is slower than requests come, no memory is filled', async () => {
  const { writes, sink } = aSink()
  const events: string[] = []
  const { note } = openRequestLog(sink, (_, event) => events.push(event), 10)
  note('12345678\n')
  note('left out\n')
  await turn()
  assert.deepEqual(
    writes.map(({ text }) => text),
    ['12345678\n'],
  )
  assert.deepEqual(events, ['request log fails'])
})

test('a file that was renamed gets no more lines after a second, whatever becomes of the clock of the machine', async () => {
  const path = join(temporaryFolder(), 'requests.log')
  const world = testWorld()
  const { note, close } = present(
    requestLogOf(path, () => {}, world),
    'the log of a file',
  )
  renameSync(path, `${path}.1`)
  world.setClock(world.now() - 3_600_000)
  world.advance(999)
  note('one\n')
  await eventually(() => readFileSync(`${path}.1`, 'utf8') === 'one\n')
  world.advance(1)
  note('two\n')
  await close()
  assert.deepEqual([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')], ['one\n', 'two\n'])
})
