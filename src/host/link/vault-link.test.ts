import assert from 'node:assert/strict'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import { vaultLink, VaultUnavailable } from './vault-link.ts'
import { PROTOCOL_VERSION } from '../../protocol/envelope.ts'
import { FRAME_BYTES_MAX, FrameReader, writeFrame } from '../../protocol/frames.ts'
import type { Established, SettledUnits, Vault } from '../../protocol/vault.ts'
import { emptyUnit } from '../../trusted/catalogue/unit.ts'
import { provingVault } from '../../trusted/vault/testing/proving-vault.ts'
import { serve } from '../../trusted/vault/serve.ts'

/** A vault that answers `proveRoot` with what it was asked, when it is let. */
function aVault(): { readonly vault: Vault; readonly release: (challenge: string) => void } {
  const held = new Map<string, () => void>()
  const vault = provingVault({
    proveRoot: (challenge) =>
      challenge.startsWith('slow')
        ? new Promise((resolve) => held.set(challenge, () => resolve(challenge)))
        : Promise.resolve(challenge),
  })
  return { vault, release: (challenge) => held.get(challenge)?.() }
}

const LONG = 'x'.repeat(300_000)

function linked(vault: Vault) {
  const [hostEnd, vaultEnd] = duplexPair()
  serve(vault, vaultEnd)
  return { link: vaultLink(hostEnd), hostEnd, vaultEnd }
}

test('each caller gets the answer to their own call, however many share a frame', async () => {
  const { link } = linked(aVault().vault)
  const asked = Array.from({ length: 100 }, (_, index) => `challenge ${index}`)
  assert.deepEqual(await Promise.all(asked.map((item) => link.vault.proveRoot(item))), asked)
})

test('a call that takes long holds up nobody else', async () => {
  const { vault, release } = aVault()
  const { link } = linked(vault)
  const slow = link.vault.proveRoot('slow one')
  assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
  release('slow one')
  assert.equal(await slow, 'slow one')
})

test('a long call goes in pieces, and what is asked in the same turn goes between them', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  const { vault, ready } = vaultLink(hostEnd)
  const object = {
    organizationId: '',
    kind: '',
    objectId: '',
    body: LONG,
    seal: '',
    expiresAt: null,
  }
  const asked = [
    vault.proveRoot('before'),
    vault.check({ charters: [], activities: [], objects: [object] }),
    vault.proveRoot('after'),
  ]
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  await turns()
  const reader = new FrameReader()
  const read: unknown[] = []
  vaultEnd.on('data', (chunk: Buffer) => read.push(...reader.push(chunk)))
  await turns()
  const methods = read.map((call) => (call as { readonly method?: string }).method)
  assert.deepEqual(methods, [undefined, 'proveRoot', 'proveRoot', 'check'])
  const ended = Promise.allSettled([...asked, ready])
  hostEnd.destroy()
  assert.deepEqual(
    (await ended).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'rejected'],
  )
})

test('what was settled is told before a long call too', async () => {
  const settled: unknown[] = []
  const { link } = linked(
    provingVault({ proveRoot: async (text) => String(text.length), settled: (units) => settled.push(units) }),
  )
  link.vault.settled({ committed: [7], dropped: [], unknown: [] })
  assert.equal(await link.vault.proveRoot('x'), '1')
  link.vault.settled({ committed: [8], dropped: [], unknown: [] })
  const object = { organizationId: 'o', kind: 'k', objectId: 'i', body: LONG, seal: '', expiresAt: null }
  await assert.rejects(link.vault.check({ charters: [], activities: [], objects: [object] }), /only proves/)
  assert.deepEqual(
    settled,
    [7, 8].map((ticket) => ({ committed: [ticket], dropped: [], unknown: [] })),
  )
})

test('a bug in the vault rejects its own call and no other', async () => {
  const { link } = linked(aVault().vault)
  const answers = await Promise.allSettled([link.vault.serviceKeys(), link.vault.proveRoot('beside it')])
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ['rejected', 'fulfilled'],
  )
})

test('when the vault is gone, every call under way and every later one is rejected', async () => {
  const { link, hostEnd } = linked(aVault().vault)
  const waiting = link.vault.proveRoot('slow for ever')
  hostEnd.destroy()
  await assert.rejects(waiting, /the vault is gone/)
  if (!hostEnd.closed) await once(hostEnd, 'close')
  await assert.rejects(link.vault.proveRoot('later'), /the vault is gone/)
  await assert.rejects(link.ready, /the vault is gone/)
})

test('a call that waits for too long is rejected, its late answer is dropped, and the link goes on', async () => {
  const { vault, release } = aVault()
  const { link } = linked(vault)
  const outcomes: string[] = []
  const slow = link.vault.proveRoot('slow one').then(
    () => outcomes.push('answered'),
    (error: unknown) => outcomes.push(error instanceof VaultUnavailable ? 'unavailable' : 'another error'),
  )
  // The first tick counts from some point within its second.
  for (let ticks = 0; ticks <= 10; ticks++) {
    assert.deepEqual(outcomes, [])
    link.tick()
    // Other calls are answered meanwhile: this vault is slow, and does not hang.
    assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
  }
  await slow
  assert.deepEqual(outcomes, ['unavailable'])
  release('slow one')
  assert.equal(await link.vault.proveRoot('after it'), 'after it')
  assert.deepEqual(outcomes, ['unavailable'])
})

test('to a vault that has been silent for long no more calls are sent, until it speaks again', async () => {
  const { vault, release } = aVault()
  const { link } = linked(vault)
  const waiting = link.vault.proveRoot('slow one')
  assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
  for (let ticks = 1; ticks <= 6; ticks++) {
    link.tick()
    assert.equal(link.silentTicks(), ticks)
  }
  await assert.rejects(link.vault.proveRoot('quick one'), VaultUnavailable)
  release('slow one')
  assert.equal(await waiting, 'slow one')
  assert.equal(link.silentTicks(), 0)
  assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
})

test('a vault that is asked nothing is not silent', () => {
  const { link } = linked(aVault().vault)
  for (let ticks = 0; ticks < 40; ticks++) link.tick()
  assert.equal(link.silentTicks(), 0)
})

test('a vault that was not sent a call, because no frame holds it, is not silent', async () => {
  const { link, vaultEnd } = linked(aVault().vault)
  vaultEnd.write(writeFrame([{ protocol: PROTOCOL_VERSION, ready: { secp256k1: 'libsecp256k1' } }]))
  await link.ready
  await assert.rejects(link.vault.proveRoot('x'.repeat(FRAME_BYTES_MAX)), /longer than a frame may be/)
  for (let ticks = 0; ticks < 40; ticks++) link.tick()
  assert.equal(link.silentTicks(), 0)
  assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
})

test('a unit that was decided too late is told to the vault as dropped, before whatever is asked next', async () => {
  const decided = Promise.withResolvers<void>()
  const told: string[] = []
  const { vault } = aVault()
  const { link } = linked({
    ...vault,
    establish: async () => {
      await decided.promise
      return FOUNDED
    },
    settled: ({ dropped }) => told.push(`dropped ${dropped.join(', ')}`),
    proveRoot: async (challenge) => {
      told.push(challenge)
      return challenge
    },
  })
  const late = assert.rejects(link.vault.establish(NOBODY), VaultUnavailable)
  for (let ticks = 0; ticks <= 10; ticks++) {
    await link.vault.proveRoot('meanwhile')
    link.tick()
  }
  await late
  decided.resolve()
  await link.vault.proveRoot('first after it')
  await link.vault.proveRoot('second after it')
  assert.deepEqual(
    told.filter((item) => item !== 'meanwhile' && item !== 'first after it'),
    ['dropped 7', 'second after it'],
  )
})

const NOBODY = { organizationName: '', userName: '', apiKeyName: '', publicKey: '', curveType: '' }
const FOUNDED = { organizationId: 'o', userId: 'u', unit: emptyUnit, ticket: 7 }

/** A vault that has started, and notes in their order the outcomes that it is told, and what it is asked. */
function aNotingVault(parts: Partial<Vault>) {
  const told: (SettledUnits | string)[] = []
  const ends = linked({
    ...aVault().vault,
    settled: (units) => void told.push(units),
    proveRoot: async (challenge) => {
      told.push(challenge)
      return challenge
    },
    ...parts,
  })
  const { link, vaultEnd } = ends
  vaultEnd.write(writeFrame([{ protocol: PROTOCOL_VERSION, ready: { secp256k1: 'libsecp256k1' } }]))
  return { ...ends, told, ready: link.ready }
}

test('outcomes are told as they were, and before what is asked in the same turn', async () => {
  const { link, told } = aNotingVault({})
  link.vault.settled({ committed: [1], dropped: [2], unknown: [3] })
  const asked = link.vault.proveRoot('next')
  link.vault.settled({ committed: [4], dropped: [], unknown: [5] })
  await asked
  assert.deepEqual(told, [{ committed: [1, 4], dropped: [2], unknown: [3, 5] }, 'next'])
})

test('a unit in an answer of another shape is told to the vault as dropped', async () => {
  const { link, told } = aNotingVault({
    // What the types rule out, as another vault can still answer.
    establish: async () => ({ ...FOUNDED, userId: 7 }) as unknown as Established,
  })
  await assert.rejects(link.vault.establish(NOBODY), /the vault answered what its protocol does not know/)
  await link.vault.proveRoot('next')
  assert.deepEqual(told, [{ committed: [], dropped: [7], unknown: [] }, 'next'])
})

test('a unit is told as dropped where its call was given up, because the vault said what nobody knows', async () => {
  const decided = Promise.withResolvers<void>()
  const { link, vaultEnd, told } = aNotingVault({
    establish: async () => {
      await decided.promise
      return FOUNDED
    },
  })
  const givenUp = assert.rejects(link.vault.establish(NOBODY), /does not know/)
  vaultEnd.write(writeFrame([{ protocol: PROTOCOL_VERSION, unheard: 'of' }]))
  await givenUp
  decided.resolve()
  await link.vault.proveRoot('first after it')
  await link.vault.proveRoot('second after it')
  assert.deepEqual(
    told.filter((item) => item !== 'first after it'),
    [{ committed: [], dropped: [7], unknown: [] }, 'second after it'],
  )
})

test('while a person opens the seal, the start has no end, and every other call has its own', async () => {
  const [hostEnd] = duplexPair()
  const link = vaultLink(hostEnd, { isUnderWay: () => true })
  const outcomes: string[] = []
  const note = (name: string) => (error: Error) => void outcomes.push(`${name}: ${error.message}`)
  const ready = link.ready.catch(note('start'))
  const asked = link.vault.proveRoot('slow one').catch(note('call'))
  for (let ticks = 0; ticks < 1_000; ticks++) link.tick()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(outcomes, ['call: the vault did not answer in time'])
  hostEnd.destroy()
  await Promise.all([ready, asked])
})

test('a vault that had a bug, or refused what it was sent, owes nothing more, and no other call is refused', async () => {
  const { link, ready } = aNotingVault({ serviceKeys: () => Promise.reject(new Error('bug')) })
  await ready
  await assert.rejects(link.vault.serviceKeys(), /bug/)
  for (let ticks = 0; ticks < 40; ticks++) link.tick()
  assert.equal(link.silentTicks(), 0)

  const { vault, release } = aVault()
  const other = linked(vault)
  const [refused, kept] = [other.link.vault.proveRoot('slow 1'), other.link.vault.proveRoot('slow 2')]
  await other.link.vault.proveRoot('quick one')
  // The first call of a link.
  other.vaultEnd.write(writeFrame([{ id: 1, refused: 'too much' }]))
  await assert.rejects(refused, /the vault does not take what it was sent: too much/)
  release('slow 2')
  assert.equal(await kept, 'slow 2')
})
