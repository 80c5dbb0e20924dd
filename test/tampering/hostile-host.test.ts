import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { duplexPair } from 'node:stream'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { activities } from '../../src/trusted/activities/list.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import type { Decision, Vault } from '../../src/protocol/vault.ts'
import { serve } from '../../src/trusted/vault/serve.ts'
import { PROTOCOL_VERSION } from '../../src/protocol/envelope.ts'
import { piecesOf } from '../../src/protocol/frames.ts'
import { METHODS } from '../../src/protocol/methods.ts'
import { openVault } from '../../src/trusted/vault/vault.ts'
import { testWorld } from '../support/service.ts'
import { START } from './harness.ts'
import { changed, steps } from './changed-call.ts'
import { HostileHost, type Reply } from './hostile-host.ts'
import { proofIn, recordedCalls, type Recorded } from './recorded-calls.ts'

// The vault as somebody meets it who has got hold of the host, or misleads it, and can say whatever they like.

let recorded: readonly Recorded[]
let honest: Recorded

before(async () => {
  recorded = await recordedCalls(START)
  honest = proofIn(recorded)
})

/** The same root key and the same instant as in the recording: what was sent there is as good here. */
function attacked(): HostileHost {
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
  const [hostEnd, vaultEnd] = duplexPair()
  serve(openVault({ world: testWorld(3, START + 1_000), keyring, activities }), vaultEnd)
  return new HostileHost(hostEnd)
}

function greeted(): HostileHost {
  const host = attacked()
  host.greet()
  return host
}

async function assertStillHonest(host: HostileHost): Promise<void> {
  const reply = await host.call(honest.method, honest.input)
  assert.deepEqual(reply.output, honest.output)
}

test('what the host honestly says is taken', async () => {
  const host = greeted()
  const methods = new Set(recorded.map(({ method }) => method))
  for (const method of ['decide', 'identify', 'check', 'establish', 'rehearse', 'proveRoot'] as const)
    assert.ok(methods.has(method), method)
  for (const { method, input } of recorded) assert.equal((await host.call(method, input)).refused, undefined)
})

test('a host that has not named its version, or names another, is refused every call until it names this one', async () => {
  const refusal = new RegExp(`speaks version ${PROTOCOL_VERSION} `)
  for (const greeting of [
    [],
    [{ protocol: PROTOCOL_VERSION - 1 }],
    [{ protocol: PROTOCOL_VERSION + 1 }],
    [{ protocol: String(PROTOCOL_VERSION) }],
    [{ protocol: PROTOCOL_VERSION, more: 1 }],
    [null],
  ]) {
    const host = attacked()
    for (const item of greeting) assertRefused(await host.say(item), refusal)
    for (const { method, input } of [honest, ...recorded.slice(0, 3)])
      assertRefused(await host.call(method, input), refusal)
    host.greet()
    await assertStillHonest(host)
  }
})

test('what is no call is refused with what is wrong with it', async () => {
  const host = greeted()
  const cases: readonly [unknown, RegExp][] = [
    [null, /an object, not null/],
    [[], /an object, not a list/],
    ['decide', /an object/],
    [{}, /id is missing/],
    [{ id: 1 }, /method is missing/],
    [{ method: 'proveRoot', input: 'x' }, /id is missing/],
    [{ id: '1', method: 'proveRoot', input: 'x' }, /id must be a whole number/],
    [{ id: 1.5, method: 'proveRoot', input: 'x' }, /id must be a whole number/],
    [{ id: 0, method: 'proveRoot', input: 'x' }, /id must be a whole number/],
    [{ id: 1e300, method: 'proveRoot', input: 'x' }, /id must be a whole number/],
    [{ id: 1, method: 'constructor', input: 'x' }, /method must be one of/],
    [{ id: 1, method: '__proto__', input: 'x' }, /method must be one of/],
    [{ id: 1, method: 'Decide', input: {} }, /method must be one of/],
    [{ id: 1, method: ['decide'], input: {} }, /method must be one of/],
    [{ id: 1, method: 'proveRoot', input: 'x', more: 1 }, /"more" is not known/],
    [JSON.parse('{"id":1,"method":"proveRoot","input":"x","__proto__":{}}'), /"__proto__" is not known/],
    [{ protocol: PROTOCOL_VERSION }, /"protocol" is not known/],
  ]
  for (const [message, problem] of cases) {
    const reply = await host.say(message)
    assertRefused(reply, problem)
    assert.equal(reply.id, undefined)
  }
  await assertStillHonest(host)
})

test('an id that is under way is refused, so that no call is answered with the answer of another', async () => {
  const host = greeted()
  await assertStillHonest(host)
  const id = host.freshId()
  const [one, other] = ['one', 'other'].map((input) => ({ id, method: 'proveRoot', input }))
  const alone = await host.say(one)
  assertRefused(await host.say(one, other), /is that of another call under way/)
  assert.deepEqual(await host.next(), alone)
  await assertStillHonest(host)
})

test('frames that are no JSON, no list, too deep or too long are refused, and the next one is read', async () => {
  const host = greeted()
  const framed = (...parts: readonly Uint8Array[]): Buffer =>
    Buffer.concat([lengthOf(parts.reduce((sum, { length }) => sum + length, 0)), ...parts])
  const frame = (json: string | Uint8Array, texts = ''): Buffer => {
    const bytes = Buffer.from(json)
    return framed(lengthOf(bytes.length), bytes, Buffer.from(texts))
  }
  const cases: readonly [Buffer, RegExp][] = [
    [framed(), /shorter than its JSON/],
    [framed(Buffer.from('[[]')), /shorter than its JSON/],
    [framed(lengthOf(8), Buffer.from('[[],[]]')), /shorter than its JSON/],
    [framed(lengthOf(2 ** 32 - 1), Buffer.from('[[],[]]')), /shorter than its JSON/],
    [frame(''), /no JSON/],
    [frame('[[{"id":1'), /no JSON/],
    [frame('[[1],]'), /no JSON/],
    [frame(Buffer.from([0xff, 0xfe, 0x00])), /no JSON/],
    [frame('{}'), /no list/],
    [frame('7'), /no list/],
    [frame('[1]'), /no list/],
    [frame('[[1]]'), /does not say where/],
    [frame('[[""],[]]', 'text'), /more behind/],
    [frame('[[""],[{"path":[0],"bytes":5}]]', 'text'), /belongs nowhere/],
    [frame('[[{}],[{"path":[0,"__proto__","id"],"bytes":4}]]', 'text'), /belongs nowhere/],
    [frame('[[""],[{"path":[0],"bytes":4}]]', 'text'), /an object, not a value of type string/],
    [frame('[[null],[]]'), /an object, not null/],
    [frame('['.repeat(2_000_000)), /nested deeper/],
    [frame(`[[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}],[]]`), /nested deeper/],
    [Buffer.concat([lengthOf(PIECE + 4), framed()]), /shorter than its JSON/],
    [Buffer.concat([lengthOf(PIECE + 5), framed(Buffer.from('['))]), /shorter than its JSON/],
    [Buffer.concat(piecesOf(frame('['.repeat(200_000))).flat()), /nested deeper/],
  ]
  for (const [bytes, problem] of cases) {
    host.write(bytes)
    const reply = await host.next()
    assertRefused(reply, problem)
    await assertStillHonest(host)
  }
  let nested: unknown = 'x'
  for (let level = 0; level < 1_000; level++) nested = [nested]
  assertRefused(await host.call('proveRoot', nested), /proveRoot must be text/)
  // Brackets in a text are no nesting, and a quotation mark in it does not end it.
  const bracketed = `${'["\\'.repeat(50_000)}`
  assert.equal(typeof (await host.call('proveRoot', bracketed)).output, 'string')
})

/** A length above this is that of a piece. */
const PIECE = 0x8000_0000

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

test('a frame that says it is longer than any is passed over to its very end, and nothing of it is kept', async () => {
  const host = greeted()
  const bytes = 256 * 1024 * 1024 + 5
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes)
  host.write(head)
  assertRefused(await host.next(), /longer than any/)
  // What is inside would be a call, if anybody looked.
  const pieceBytes = 16 * 1024 * 1024
  for (let sent = 0; sent < bytes; sent += pieceBytes)
    host.write(Buffer.alloc(Math.min(pieceBytes, bytes - sent), ' '))
  await assertStillHonest(host)
})

test('every call refuses what is nothing that it takes', async () => {
  const host = greeted()
  const methods: readonly (keyof Vault)[] = [...METHODS]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), fc.jsonValue({ maxDepth: 4 }), async (method, input) => {
      if (method === 'proveRoot' && typeof input === 'string') return
      const { refused } = await host.call(method, input)
      assert.ok(refused?.startsWith(method), refused)
    }),
  )
  await assertStillHonest(host)
})

test('a call that was changed at random is refused, or decided as honest data would have it', async () => {
  const host = greeted()
  const calls = recorded.filter(({ method }) => method !== 'establish' && method !== 'serviceKeys')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), steps, async (call, taken) => {
      const input = changed(call.input, taken, calls)
      const reply = await host.call(call.method, input)
      assert.equal(Object.keys(reply).filter((key) => key !== 'id').length, 1)
      if (call.method === 'decide') assertNoGain(call, input, reply)
      await assertStillHonest(host)
    }),
    { numRuns: 1_000 },
  )
})

/** Nothing is carried out but the very bytes that honest data has carried out. */
function assertNoGain(call: Recorded, input: unknown, { output }: Reply): void {
  const [given, wanted] = [output as Decision | undefined, call.output as Decision]
  if (given?.kind !== 'commit' || given.unit.activity?.row.status !== 'ACTIVITY_STATUS_COMPLETED') return
  const carriedOut = recorded
    .filter(({ method }) => method === 'decide')
    .map((item) => item.output as Decision)
    .flatMap((decision) => (decision.kind === 'commit' ? (decision.unit.activity?.row ?? []) : []))
    .filter(({ status }) => status === 'ACTIVITY_STATUS_COMPLETED')
    .map(({ fingerprint }) => fingerprint)
  const { body } = input as { readonly body: string }
  const fingerprint = `sha256:${createHash('sha256').update(body).digest('hex')}`
  assert.ok(carriedOut.includes(given.unit.activity.row.fingerprint), 'it was carried out honestly too')
  assert.ok(
    wanted.kind !== 'commit' || wanted.unit.activity?.replaces !== null || carriedOut.includes(fingerprint),
  )
}

function assertRefused(reply: Reply, problem: RegExp): void {
  assert.match(reply.refused ?? JSON.stringify(reply), problem)
}
