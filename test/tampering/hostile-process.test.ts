import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { vaultProcess } from '../../src/host/link/spawn-vault.ts'
import { PROTOCOL_VERSION } from '../../src/protocol/envelope.ts'
import { METHODS } from '../../src/protocol/methods.ts'
import { piecesOf, writeFrame } from '../../src/protocol/frames.ts'
import type { Decision } from '../../src/protocol/vault.ts'
import { temporaryFolder } from '../support/running-service.ts'
import { changed, steps } from './changed-call.ts'
import { HostileHost } from './hostile-host.ts'
import { proofIn, recordedCalls, type Recorded } from './recorded-calls.ts'

// The vault process itself, as `serve` starts it, with somebody at the other end of its socket who writes what they
// like.

let recorded: readonly Recorded[]
let honest: Recorded
const rootKeyPath = join(temporaryFolder(), 'root.key')

before(async () => {
  recorded = await recordedCalls(Date.now())
  honest = proofIn(recorded)
  const key = Buffer.alloc(32, 9).toString('hex')
  const file = { format: 'claviger root key 1', versions: [{ version: 1, key }] }
  writeFileSync(rootKeyPath, JSON.stringify(file), { mode: 0o600 })
})

type Attacked = { readonly host: HostileHost; readonly pid: number; readonly hasEnded: () => boolean }

async function attacked(t: TestContext): Promise<Attacked> {
  const { child, socket } = vaultProcess({ rootKeyPath })
  t.after(async () => {
    socket.destroy()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  // What the vault does to the socket when it dies is seen by asking it.
  socket.on('error', () => undefined)
  const host = new HostileHost(socket)
  assert.ok((await host.next()).ready !== undefined)
  const { pid } = child
  assert.ok(pid !== undefined)
  return { host, pid, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}

async function greeted(t: TestContext): Promise<Attacked> {
  const vault = await attacked(t)
  vault.host.greet()
  return vault
}

async function assertStillHonest({ host }: Attacked): Promise<void> {
  assert.deepEqual((await host.call(honest.method, honest.input)).output, honest.output)
}

test('an honest host is answered what the vault answers in this process', async (t) => {
  const vault = await greeted(t)
  for (const { method, input } of recorded)
    assert.equal((await vault.host.call(method, input)).refused, undefined)
  const signing = recorded.find(({ output }) => (output as { kind?: string }).kind === 'commit')
  assert.ok(signing !== undefined)
  await assertStillHonest(vault)
})

test('an older and a newer version of the protocol, and none, are refused every call until this one is named', async (t) => {
  for (const greeting of [
    undefined,
    { protocol: PROTOCOL_VERSION - 1 },
    { protocol: PROTOCOL_VERSION + 1 },
  ]) {
    const vault = await attacked(t)
    if (greeting !== undefined) assert.match((await vault.host.say(greeting)).refused ?? '', /speaks version/)
    for (const { method, input } of recorded.slice(0, 10))
      assert.match((await vault.host.call(method, input)).refused ?? '', /speaks version/)
    vault.host.greet()
    await assertStillHonest(vault)
  }
})

test('frames are read however they are cut, and several in one write are several', async (t) => {
  const vault = await greeted(t)
  const { host } = vault
  const call = () => ({ id: host.freshId(), method: 'proveRoot', input: honest.input })
  host.write(Buffer.concat([writeFrame([call()]), writeFrame([]), writeFrame([call(), call()])]))
  for (let n = 0; n < 3; n++) assert.deepEqual((await host.next()).output, honest.output)

  const frame = writeFrame([call()])
  for (const byte of frame) await host.written(Buffer.from([byte]))
  assert.deepEqual((await host.next()).output, honest.output)
  await assertStillHonest(vault)
})

test('half a frame keeps nobody from ending the vault, and is a whole one when the rest comes', async (t) => {
  const vault = await greeted(t)
  const frame = writeFrame([{ id: vault.host.freshId(), method: 'proveRoot', input: honest.input }])
  await vault.host.written(frame.subarray(0, 20))
  assert.equal(vault.hasEnded(), false)
  vault.host.write(frame.subarray(20))
  assert.deepEqual((await vault.host.next()).output, honest.output)

  await vault.host.written(frame.subarray(0, 20))
  vault.host.hangUp()
  while (!vault.hasEnded()) await new Promise((resolve) => setImmediate(resolve))
  await assertStillHonest(await greeted(t))
})

test('pieces of a frame that never ends hold up no call between them, and end with the host', async (t) => {
  const vault = await greeted(t)
  const [first, ...rest] = piecesOf(writeFrame([honest.input, 'x'.repeat(500_000)]))
  for (const piece of [first, ...rest.slice(0, -1)]) {
    await vault.host.written(Buffer.concat(piece ?? []))
    await assertStillHonest(vault)
  }
  vault.host.hangUp()
  while (!vault.hasEnded()) await new Promise((resolve) => setImmediate(resolve))
  await assertStillHonest(await greeted(t))
})

test('garbage is refused, and what follows the length that it names is read', async (t) => {
  const vault = await greeted(t)
  for (const bytes of [4, 5, 300, 70_000, 3_000_000]) {
    const garbage = randomBytes(bytes)
    garbage.writeUInt32BE(bytes - 4)
    await vault.host.written(garbage)
    assert.ok((await vault.host.next()).refused !== undefined)
    await assertStillHonest(vault)
  }
  const head = Buffer.from([0xff, 0xff, 0xff, 0xff])
  await vault.host.written(head)
  assert.match((await vault.host.next()).refused ?? '', /longer than any/)
  assert.equal(vault.hasEnded(), false)
})

test('a frame that would fill the memory with small values, or with messages, is refused', async (t) => {
  const vault = await greeted(t)
  const wrapped = (inside: string): Buffer => {
    const json = Buffer.from(
      `[[{"id":${vault.host.freshId()},"method":"proveRoot","input":[${inside}0]}],[]]`,
    )
    const head = Buffer.alloc(8)
    head.writeUInt32BE(json.length + 4)
    head.writeUInt32BE(json.length, 4)
    return Buffer.concat([head, json])
  }
  const distinct = Array.from({ length: 2_100_000 }, (_, n) => `{"k${n}":0},`).join('')
  // The first is as long as a frame may be, and took more memory than there is.
  for (const inside of ['{},'.repeat(85_000_000), '[],'.repeat(2_100_000), distinct]) {
    await vault.host.written(wrapped(inside))
    assert.match((await vault.host.next()).refused ?? '', /more than \d+ values/)
    await assertStillHonest(vault)
  }
  // As many as a frame may hold are read, and are nothing that anybody asked for.
  await vault.host.written(wrapped(distinct.slice(0, distinct.indexOf('{"k1900000"'))))
  assert.match((await vault.host.next()).refused ?? '', /must be text/)
  await assertStillHonest(vault)
  vault.host.write(writeFrame(Array.from({ length: 100_000 }, () => null)))
  assert.match((await vault.host.next()).refused ?? '', /more than \d+ messages/)
  await assertStillHonest(vault)
  assert.ok(mostMemory(vault) < MEMORY_MAX, `${mostMemory(vault)} bytes`)
})

test('to a host that reads no answers the vault stops listening, keeps within its memory, and goes on when it reads', async (t) => {
  const vault = await greeted(t)
  const { host } = vault
  // Some 14 bytes are sent for 70 of an answer.
  const frame = writeFrame(Array.from({ length: 16 }, () => null))
  const frames = Buffer.concat(Array.from({ length: 1_000 }, () => frame))
  const rounds = 80
  host.stopReading()
  for (let n = 0; n < rounds; n++) host.write(frames)
  await atRest(vault)
  assert.ok(mostMemory(vault) < MEMORY_MAX, `${mostMemory(vault)} bytes`)
  assert.ok(host.unsent > 0, 'the vault does not read everything')
  host.goOnReading()
  await host.refusals(rounds * 16_000)
  await assertStillHonest(vault)
})

test('hundreds of long calls at once are taken up within the memory of the vault', async (t) => {
  const vault = await greeted(t)
  const { host } = vault
  const rehearsal = recorded.find(({ method }) => method === 'rehearse')
  assert.ok(rehearsal !== undefined)
  const cases = [{ body: 'x'.repeat(1_000_000), approvers: [], rows: {}, taken: {} }]
  // The vault knows only what is in the call, which is the same each time.
  const input = { ...(rehearsal.input as object), cases }
  host.stopReading()
  for (let n = 0; n < 500; n++)
    await host.written(writeFrame([{ id: host.freshId(), method: 'rehearse', input }]))
  host.goOnReading()
  for (let n = 0; n < 500; n++) assert.ok((await host.next()).id !== undefined)
  await assertStillHonest(vault)
  assert.ok(mostMemory(vault) < MEMORY_MAX, `${mostMemory(vault)} bytes`)
})

test('calls that were changed at random are refused or decided, and never end the process', async (t) => {
  const vault = await greeted(t)
  const { host } = vault
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), fc.jsonValue({ maxDepth: 4 }), async (method, input) => {
      const { refused, output } = await host.call(method, input)
      assert.ok(refused !== undefined || (method === 'proveRoot' && typeof output === 'string'))
    }),
  )
  const calls = recorded.filter(({ method }) => method !== 'establish' && method !== 'serviceKeys')
  const carriedOut = new Set(recorded.flatMap(({ output }) => fingerprintsIn(output)))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), steps, async (call, taken) => {
      const { output } = await host.call(call.method, changed(call.input, taken, calls))
      if (call.method === 'decide')
        for (const fingerprint of fingerprintsIn(output)) assert.ok(carriedOut.has(fingerprint))
      await assertStillHonest(vault)
    }),
    { numRuns: 300 },
  )
})

test('what is told of units in any form ends nothing', async (t) => {
  const vault = await greeted(t)
  const { host } = vault
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (settled) => {
      assert.match((await host.say({ settled })).refused ?? '', /^settled/)
    }),
  )
  const all = Array.from({ length: 1_000_000 }, (_, n) => n + 1)
  host.write(writeFrame([{ settled: { committed: all, dropped: all, unknown: all } }]))
  await assertStillHonest(vault)
})

/** Of requests that were carried out. */
function fingerprintsIn(output: unknown): readonly string[] {
  const decision = output as Decision | undefined
  if (decision?.kind !== 'commit' || decision.unit.activity?.row.status !== 'ACTIVITY_STATUS_COMPLETED')
    return []
  return [decision.unit.activity.row.fingerprint]
}

/** What the vault needs for itself, twice what it holds for its host, and one frame being read. */
const MEMORY_MAX = 768 * 1024 * 1024

/** The most that the process has ever held. */
function mostMemory({ pid }: Attacked): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

/** Until the process does nothing any more: it has used no processor between a few looks. */
async function atRest({ pid }: Attacked): Promise<void> {
  const used = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ')
  for (let [before, same] = ['', 0]; same < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = used()
    same = now === before ? same + 1 : 0
    before = now
  }
}
