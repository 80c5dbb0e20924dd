import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers } from '../outside/testing/timers.ts'
import { MailConnections } from './mail-connections.ts'

function theseConnections(names: readonly string[]) {
  let now = 0
  const timers = turnedTimers(() => now)
  const connections = new MailConnections(names, timers)
  const take = async (time = new AbortController().signal): Promise<string> => await connections.take(time)
  const pass = (ms: number): void => {
    now += ms
    timers.turn()
  }
  return { connections, take, pass }
}

test('a connection that the server has refused is lent again after half a minute, to a mail that waits', async () => {
  const { connections, take, pass } = theseConnections(['first', 'second'])
  assert.deepEqual([await take(), await take()], ['second', 'first'])
  assert.equal(connections.refused('first'), true)
  let lent = ''
  const waiting = take().then((connection) => (lent = connection))

  pass(29_999)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(lent, '')
  pass(1)
  assert.equal(await waiting, 'first')
})

test('the only connection in use is not taken away, however often the server refuses it', async () => {
  const { connections, take } = theseConnections(['first', 'second'])
  const only = await take()
  assert.equal(connections.refused(only), false)
  connections.giveBack(only)
  assert.deepEqual([await take(), await take()].toSorted(), ['first', 'second'])
})

test('a mail whose time is over waits no longer, and the next one gets the connection', async () => {
  const { connections, take } = theseConnections(['first'])
  const first = await take()
  const over = new AbortController()
  const late = take(over.signal)
  const next = take()
  over.abort()
  await assert.rejects(late, /in time/)
  connections.giveBack(first)
  assert.equal(await next, 'first')
  // One whose time was over before it asked does not begin to wait.
  await assert.rejects(take(over.signal))
})
