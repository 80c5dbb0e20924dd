import assert from 'node:assert/strict'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import { vaultLink, VaultUnavailable } from './vault-link.ts'
import { PROTOCOL_VERSION } from '../../protocol/envelope.ts'
import { FRAME_BYTES_MAX, FrameReader, writeFrame } from '../../protocol/frames.ts'
import type { Established, Vault } from '../../protocol/vault.ts'
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

test('a long call goes in a frame of its own, and what is asked in the same turn is not behind its writing', async () => {
  const [hostEnd, vaultEnd] = duplexPair()
  const { vault, ready } = vaultLink(hostEnd)
  const frames: (readonly unknown[])[] = []
  vaultEnd.on('data', (chunk: Buffer) => frames.push(new FrameReader().push(chunk)))
  const object = {
    organizationId: '',
    kind: '',
    objectId: '',
    body: 'x'.repeat(300_000),
    seal: '',
    expiresAt: null,
  }
  const asked = [
    vault.proveRoot('before'),
    vault.check({ charters: [], activities: [], objects: [object] }),
    vault.proveRoot('after'),
  ]
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  const methods = frames.map((frame) => frame.map((call) => (call as { readonly method?: string }).method))
  assert.deepEqual(methods, [[undefined], ['proveRoot'], ['check'], ['proveRoot']])
  const ended = Promise.allSettled([...asked, ready])
  hostEnd.destroy()
  assert.deepEqual(
    (await ended).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'rejected'],
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
    // As much of a founded organization as the link looks at.
    establish: async () => {
      await decided.promise
      return { unit: {}, ticket: 7 } as unknown as Established
    },
    settled: ({ dropped }) => told.push(`dropped ${dropped.join(', ')}`),
    proveRoot: async (challenge) => {
      told.push(challenge)
      return challenge
    },
  })
  const nobody = { organizationName: '', userName: '', apiKeyName: '', publicKey: '', curveType: '' }
  const late = assert.rejects(link.vault.establish(nobody), VaultUnavailable)
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
