import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { VaultError, vaultLink } from '../../src/host/link/vault-link.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { FrameReader, writeFrame } from '../../src/protocol/frames.ts'
import { METHODS, readAnswer, type VaultMethod } from '../../src/protocol/methods.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { serve } from '../../src/trusted/vault/serve.ts'
import { testWorld } from '../support/service.ts'
import { changed, type Step, steps } from './changed-call.ts'
import { openServiceOn, START } from './harness.ts'
import { populate, signing } from './populated.ts'
import { type Recorded, recordedCalls } from './recorded-calls.ts'

// The host as a vault meets it that answers anything at all: another version of it, or one that was taken over.

let recorded: readonly Recorded[]

before(async () => {
  recorded = await recordedCalls(START)
})

/** A link to a vault that gives each call the next of these answers; a challenge it proves by itself. */
function linkedTo(answer: () => unknown) {
  const [hostEnd, vaultEnd] = duplexPair()
  const reader = new FrameReader()
  const told: unknown[] = []
  vaultEnd.on('data', (chunk: Buffer) => {
    for (const message of reader.push(chunk)) {
      // The link writes nothing but its greeting, notes and calls.
      const { id, method, input, settled } = message as { readonly [name: string]: unknown }
      if (settled !== undefined) told.push(settled)
      const output = method === 'proveRoot' && input === 'honest' ? input : answer()
      if (id !== undefined) vaultEnd.write(writeFrame([{ id, output }]))
    }
  })
  return { ...vaultLink(hostEnd), told }
}

/** Whatever a call is given: this vault looks at none of it. */
async function outcomeOf(vault: Vault, { method, input }: Recorded): Promise<'answered' | 'rejected'> {
  try {
    await (vault[method] as (input: unknown) => Promise<unknown>)(input)
    return 'answered'
  } catch (error) {
    assert.ok(error instanceof VaultError, String(error))
    return 'rejected'
  }
}

test('what an honest vault answers is what the shapes of its answers say', () => {
  const methods = new Set<VaultMethod>()
  for (const { method, output } of recorded) {
    methods.add(method)
    readAnswer(method, JSON.parse(JSON.stringify(output)))
  }
  for (const method of ['decide', 'identify', 'check', 'establish', 'rehearse', 'proveRoot'] as const)
    assert.ok(methods.has(method), method)
})

test('an answer that is nothing of its kind is the error of its own call, and the link goes on', async () => {
  let output: unknown
  const { vault, ready } = linkedTo(() => output)
  ready.catch(() => {})
  const calls = METHODS.map((method) => ({
    method,
    input: recorded.find((call) => call.method === method)?.input,
  }))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc
        .jsonValue({ maxDepth: 4 })
        .filter((value) => typeof value !== 'string' && typeof value !== 'boolean'),
      async ({ method, input }, value) => {
        output = value
        assert.equal(await outcomeOf(vault, { method, input: input ?? {}, output }), 'rejected')
        assert.equal(await vault.proveRoot('honest'), 'honest')
      },
    ),
  )
})

test('an answer that was changed at random is taken as it is or is the error of its own call, and the link goes on', async () => {
  let output: unknown
  const { vault, ready } = linkedTo(() => output)
  ready.catch(() => {})
  const outcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...recorded), steps, async (call, taken) => {
      output = changedOutput(call, taken)
      outcomes.add(await outcomeOf(vault, call))
      assert.equal(await vault.proveRoot('honest'), 'honest')
    }),
    { numRuns: 1_000 },
  )
  assert.deepEqual([...outcomes].toSorted(), ['answered', 'rejected'])
})

test('an answer that is nested deeper than can be read is the error of its own call', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  const { vault, ready } = vaultLink(hostEnd)
  ready.catch(() => {})
  const levels = 5_000
  const part = '{"parts":['.repeat(levels) + ']}'.repeat(levels)
  const explanation = `{"policies":[{"condition":{"whole":${part}}}]}`
  const judged = `{"kind":"judged","judgement":{"explanations":[${explanation}]}}`
  const json = `[[{"id":1,"output":{"kind":"rehearsed","cases":[${judged}]}}],[]]`
  const head = Buffer.alloc(8)
  head.writeUInt32BE(4 + json.length, 0)
  head.writeUInt32BE(json.length, 4)
  vaultEnd.once('data', () =>
    vaultEnd.once('data', () => vaultEnd.write(Buffer.concat([head, Buffer.from(json)]))),
  )
  const call = { organizationId: '', charters: [], explain: true, usage: 'metered', cases: [] } as const
  await assert.rejects(vault.rehearse(call), /RangeError/)
  vaultEnd.on('data', () => vaultEnd.write(writeFrame([{ id: 2, output: 'honest' }])))
  assert.equal(await vault.proveRoot('honest'), 'honest')
})

test('a unit whose answer is not taken is told to the vault as dropped, where its ticket is one', async () => {
  const decided = recorded.find(({ method }) => method === 'establish')
  assert.ok(decided !== undefined)
  for (const [ticket, dropped] of [
    [7, [7]],
    [0.5, undefined],
    ['7', undefined],
  ] as const) {
    const { vault, ready, told } = linkedTo(() => ({ ...(decided.output as object), ticket, userId: 1 }))
    ready.catch(() => {})
    assert.equal(await outcomeOf(vault, decided), 'rejected')
    assert.equal(await vault.proveRoot('honest'), 'honest')
    const expected = dropped === undefined ? [] : [{ committed: [], dropped, unknown: [] }]
    assert.deepEqual(told, expected, String(ticket))
  }
})

test('a host whose vault answers anything answers each request, and ends none of them by a crash', async () => {
  const store = openSqlite({ path: ':memory:' })
  let lie: ((output: unknown) => unknown) | undefined
  const service = await openServiceOn(store, testWorld(1, START), (vault) => {
    const [hostEnd, vaultEnd] = duplexPair()
    serve(
      lyingNow(vault, (output) => (lie === undefined ? output : lie(output))),
      vaultEnd,
    )
    const link = vaultLink(hostEnd)
    link.ready.catch(() => {})
    return link.vault
  })
  const { root, keyId } = await populate(service, store)
  const statuses = new Set<number>()
  let payload = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(steps, fc.jsonValue()), async (how) => {
      lie = isSteps(how)
        ? (output) => changedOutput({ method: 'decide', input: undefined, output }, how)
        : () => how
      service.world.advance(1)
      const sent = signing(service.world, root, keyId, (payload++).toString(16).padStart(8, '0'))
      statuses.add((await service.send(sent)).status)
    }),
    { numRuns: 200 },
  )
  assert.ok(statuses.has(200) && statuses.has(500), [...statuses].join(', '))
  await store.close()
})

function changedOutput(call: Recorded, taken: readonly Step[]): unknown {
  const outputs = recorded.map(({ method, output }) => ({ method, input: output, output }))
  return changed(call.output, taken, outputs)
}

function isSteps(how: unknown): how is readonly Step[] {
  return Array.isArray(how) && how.length > 0 && how.every((step) => Object.hasOwn(Object(step), 'from'))
}

function lyingNow(vault: Vault, lie: (output: unknown) => unknown): Vault {
  return {
    ...vault,
    // The host reads what it is answered, whatever it is.
    decide: async (request) => lie(await vault.decide(request)) as Awaited<ReturnType<Vault['decide']>>,
  }
}
