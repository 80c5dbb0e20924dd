import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import { HostileHost } from '../../../test/tampering/hostile-host.ts'
import { FRAME_BYTES_MAX, writeFrame } from '../../protocol/frames.ts'
import type { Vault } from '../../protocol/vault.ts'
import { provingVault } from './testing/proving-vault.ts'
import { serve } from './serve.ts'

/** A vault that answers `proveRoot` when it is let. */
function aVault(more: Pick<Partial<Vault>, 'settled'> = {}, pace?: { readonly isBusy: boolean }) {
  const taken: { readonly answer: () => void }[] = []
  const vault = provingVault({
    proveRoot: (challenge) =>
      new Promise((resolve) => taken.push({ answer: () => resolve(String(challenge.length)) })),
    ...more,
  })
  const [hostEnd, vaultEnd] = duplexPair()
  serve(vault, vaultEnd, pace)
  const host = new HostileHost(hostEnd)
  host.greet()
  return { host, taken, vaultEnd }
}

async function turns(count = 1_000): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

test('calls beyond what a vault has under way are not read until earlier ones are answered', async () => {
  for (const { input, most } of [
    { input: 'x'.repeat(1_000_000), most: 70 },
    { input: 'x', most: 4_200 },
  ]) {
    const { host, taken } = aVault()
    const calls = 2 * most
    for (let n = 0; n < calls; n++)
      host.write(writeFrame([{ id: host.freshId(), method: 'proveRoot', input }]))
    await turns(3_000)
    assert.ok(taken.length > most / 2 && taken.length <= most, String(taken.length))
    for (let answered = 0; answered < calls; answered++) {
      while (taken[answered] === undefined) await turns(1)
      taken[answered]?.answer()
      assert.equal((await host.next()).output, String(input.length))
    }
  }
})

test('a call costs its own bytes, wherever the chunks are cut in which it comes', async () => {
  const { host, taken } = aVault()
  const input = 'x'.repeat(1_000_000)
  const frames = Array.from({ length: 140 }, () =>
    writeFrame([{ id: host.freshId(), method: 'proveRoot', input }]),
  )
  const all = Buffer.concat(frames)
  const half = Math.floor((frames[0]?.length ?? 0) / 2)
  for (let at = 0; at < all.length; at += 2 * half) host.write(all.subarray(at, at + 2 * half))
  await turns(3_000)
  assert.ok(taken.length > 50 && taken.length <= 70, String(taken.length))
})

test('a vault stops reading from a host that does not read its answers, and goes on once it does', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  let taken = 0
  const proveRoot = async () => {
    taken += 1
    return 'x'.repeat(1024 * 1024)
  }
  serve(provingVault({ proveRoot }), vaultEnd)
  const host = new HostileHost(hostEnd)
  host.greet()
  host.stopReading()
  const calls = 60
  for (let n = 0; n < calls; n++) {
    host.write(writeFrame([{ id: host.freshId(), method: 'proveRoot', input: 'x' }]))
    await turns(10)
  }
  assert.ok(taken < calls / 2, String(taken))
  host.goOnReading()
  await turns()
  assert.equal(taken, calls)
})

test('a vault that waits for the reading of one long answer goes on when it was read', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  const proveRoot = async (input: string) => (input === 'long' ? 'x'.repeat(20 * 1024 * 1024) : input)
  serve(provingVault({ proveRoot }), vaultEnd)
  const host = new HostileHost(hostEnd)
  host.greet()
  host.stopReading()
  const ask = async (input: string): Promise<void> => {
    host.write(writeFrame([{ id: host.freshId(), method: 'proveRoot', input }]))
    await turns(10)
  }
  await ask('long')
  await ask('taken, and the last before it waits')
  await ask('not read before')
  host.goOnReading()
  for (let n = 0; n < 3; n++) assert.ok((await host.next()).output !== undefined)
})

test('an exception while units are settled ends neither the vault nor the call behind it', async () => {
  const { host, taken } = aVault({
    settled: () => {
      throw new RangeError('Array buffer allocation failed')
    },
  })
  const call = { id: host.freshId(), method: 'proveRoot', input: 'x' }
  const refusal = await host.say({ settled: { committed: [1], dropped: [], unknown: [] } }, call)
  assert.match(refusal.refused ?? '', /settled: RangeError/)
  taken[0]?.answer()
  assert.equal((await host.next()).output, '1')
})

test('answers that are ready together go in one frame, and a call that takes longer holds none of them up', async (t) => {
  const { host, taken, vaultEnd } = aVault()
  const calls = ['a', 'bb', 'ccc'].map((input) => ({ id: host.freshId(), method: 'proveRoot', input }))
  await turns(10)
  const { mock } = t.mock.method(vaultEnd, 'write')
  host.write(writeFrame(calls))
  await turns(10)

  taken[0]?.answer()
  taken[1]?.answer()
  await turns(10)
  assert.equal(mock.callCount(), 1)
  assert.deepEqual([(await host.next()).output, (await host.next()).output], ['1', '2'])

  taken[2]?.answer()
  assert.equal((await host.next()).output, '3')
  assert.equal(mock.callCount(), 2)
})

test('where expensive work takes turns, an answer waits for no second turn', async (t) => {
  for (const { isBusy, turnsOfAnswer } of [
    { isBusy: true, turnsOfAnswer: 1 },
    { isBusy: false, turnsOfAnswer: 2 },
  ]) {
    const { host, taken, vaultEnd } = aVault({}, { isBusy })
    const calls = ['a', 'b'].map((input) => ({ id: host.freshId(), method: 'proveRoot', input }))
    host.write(writeFrame(calls))
    await turns(10)
    const { mock } = t.mock.method(vaultEnd, 'write')

    taken[0]?.answer()
    let passed = 0
    while (mock.callCount() === 0) {
      await turns(1)
      passed++
    }

    assert.equal(passed, turnsOfAnswer)
  }
})

test('a frame of sixteen answers is full, and goes before the event loop turns', async (t) => {
  const { host, taken, vaultEnd } = aVault()
  const calls = Array.from({ length: 20 }, () => ({ id: host.freshId(), method: 'proveRoot', input: 'x' }))
  await turns(10)
  const { mock } = t.mock.method(vaultEnd, 'write')
  host.write(writeFrame(calls))
  await turns(10)
  for (const { answer } of taken.slice(0, 16)) answer()
  await turns(1)
  assert.equal(mock.callCount(), 1)
})

test('a call whose answer is longer than a frame may be is told so, and those beside it are answered', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  const text = 'x'.repeat(1024 * 1024)
  const long = Array.from({ length: FRAME_BYTES_MAX / text.length }, () => text)
  serve(provingVault({ proveRoot: async (input) => (input === 'long' ? (long as never) : input) }), vaultEnd)
  const host = new HostileHost(hostEnd)
  host.greet()
  const [tooLong, short] = ['long', 'short'].map((input) => ({
    id: host.freshId(),
    method: 'proveRoot',
    input,
  }))
  assert.deepEqual(await host.say(tooLong, short), {
    id: tooLong?.id,
    bug: 'the answer is longer than a frame may be',
  })
  assert.deepEqual(await host.next(), { id: short?.id, output: 'short' })
})

/**
 * A vault that answers `a long` and `a short` with a unit of the organization `a`.
 *
 * @returns  asks, reads nothing meanwhile, and resolves to what was asked, in the order of the answers
 */
function aVaultOfUnits(): (inputs: readonly string[]) => Promise<readonly unknown[]> {
  const text = 'x'.repeat(1024 * 1024)
  const proveRoot = async (input: string) => {
    const [organizationId, length] = input.split(' ')
    return {
      unit: { activity: { row: { organizationId } }, charters: [] },
      text: length === 'long' ? text : '',
    }
  }
  const [hostEnd, vaultEnd] = duplexPair()
  // Of an answer, the socket only asks whose unit it has.
  serve(provingVault({ proveRoot: proveRoot as never }), vaultEnd)
  const host = new HostileHost(hostEnd)
  host.greet()
  return async (inputs) => {
    host.stopReading()
    const asked = new Map<unknown, string>()
    for (const input of inputs) {
      const id = host.freshId()
      asked.set(id, input)
      host.write(writeFrame([{ id, method: 'proveRoot', input }]))
      await turns(10)
    }
    host.goOnReading()
    const answered: unknown[] = []
    for (let n = 0; n < inputs.length; n++) answered.push(asked.get((await host.next()).id))
    return answered
  }
}

test('short answers go between the pieces of a long one, but the next unit of its organization after it', async () => {
  const ask = aVaultOfUnits()
  const asked = ['a long', 'b short', 'a short', 'c long', 'b short', 'c short']
  const answered = ['b short', 'b short', 'a long', 'a short', 'c long', 'c short']
  assert.deepEqual(await ask(asked), answered)
  // What has been sent holds nobody up.
  assert.deepEqual(await ask(['b long', 'a short', 'c short']), ['a short', 'c short', 'b long'])
})
