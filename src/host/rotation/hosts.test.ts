import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { announcedHosts, announceHost, type HostShown, hostsIn, releaseOf } from './hosts.ts'

const MINUTE_MS = 60_000
const host: HostShown = {
  id: 'a',
  name: 'a',
  at: 1_000_000_000,
  seals: 1,
  versions: [],
  release: releaseOf('0.1.0'),
}

test('a host that has said nothing for a minute is not there any more, and one that says what we do not know is', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const newer = { ...host, id: 'b', name: 'b', tomorrow: { is: 'another day' } }
  await announceHost(store, host)
  await store.replaceNote('host b', null, JSON.stringify(newer))
  assert.deepEqual(await announcedHosts(store, host.at), [host, newer])
  assert.deepEqual(await announcedHosts(store, host.at + MINUTE_MS), [])
  // It may only be slow: nobody takes its note away before a day has passed.
  assert.notEqual(await store.note('host b'), undefined)
  assert.deepEqual(await announcedHosts(store, host.at + 2 * 24 * 60 * MINUTE_MS), [])
  assert.equal(await store.note('host b'), undefined)
})

test('notes that no host has written are passed over', () => {
  const wrong = [
    'no JSON',
    '{}',
    JSON.stringify({ ...host, release: { claviger: '0.1.0' } }),
    JSON.stringify({ ...host, release: { ...host.release, schema: 0 } }),
    JSON.stringify({ ...host, name: 'x'.repeat(5_000) }),
  ]
  const notes = [...wrong, JSON.stringify(host)].map((value, at) => ({ name: `host ${at}`, value }))
  assert.deepEqual(hostsIn(notes, host.at), [host])
})
