import assert from 'node:assert/strict'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import { vaultLink } from './vault-link.ts'
import type { Vault } from '../vault/protocol.ts'
import { serve } from '../vault/serve.ts'

/** A vault that answers `proveRoot` with what it was asked, when it is let. */
function aVault(): { readonly vault: Vault; readonly release: (challenge: string) => void } {
  const held = new Map<string, () => void>()
  const unused = async (): Promise<never> => {
    throw new Error('this vault only proves')
  }
  const vault: Vault = {
    settled: () => {},
    decide: unused,
    identify: unused,
    check: unused,
    found: unused,
    openErrand: unused,
    signWebhook: unused,
    rehearse: unused,
    serviceKeys: unused,
    checkRootProof: unused,
    proveRoot: (challenge) =>
      challenge.startsWith('slow')
        ? new Promise((resolve) => held.set(challenge, () => resolve(challenge)))
        : Promise.resolve(challenge),
  }
  return { vault, release: (challenge) => held.get(challenge)?.() }
}

function linked(vault: Vault) {
  const [hostEnd, vaultEnd] = duplexPair()
  serve(vault, vaultEnd)
  return { link: vaultLink(hostEnd), hostEnd }
}

test('each caller gets the answer to their own call, however many share a frame', async () => {
  const { link } = linked(aVault().vault)
  const asked = Array.from({ length: 100 }, (_, index) => `challenge ${index}`)
  assert.deepEqual(await Promise.all(asked.map((one) => link.vault.proveRoot(one))), asked)
})

test('a call that takes long holds up nobody else', async () => {
  const { vault, release } = aVault()
  const { link } = linked(vault)
  const slow = link.vault.proveRoot('slow one')
  assert.equal(await link.vault.proveRoot('quick one'), 'quick one')
  release('slow one')
  assert.equal(await slow, 'slow one')
})

test('a bug in the vault rejects its own call and no other', async () => {
  const { link } = linked(aVault().vault)
  const answers = await Promise.allSettled([link.vault.serviceKeys(), link.vault.proveRoot('beside it')])
  assert.deepEqual(
    answers.map((one) => one.status),
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
