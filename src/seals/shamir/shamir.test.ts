import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import Slip39 from 'slip39'
import { vectors } from '../../../test/support/vectors.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { collectShares, type Progress } from './collect-shares.ts'
import { beginOf, shareDigest, shareTrouble } from './share-set.ts'
import { loadSlip39 } from './slip39.ts'

test('the library reads the official vectors of SLIP-0039, and refuses those that are wrong', () => {
  const published =
    vectors<readonly (readonly [string, readonly string[], string, string])[]>('slip39/vectors.json')
  assert.equal(published.length, 45)
  for (const [, mnemonics, secret] of published) {
    const recover = () => Buffer.from(Slip39.recoverSecret([...mnemonics], 'TREZOR')).toString('hex')
    if (secret === '') assert.throws(recover, Error, mnemonics[0])
    else assert.equal(recover(), secret)
  }
})

test('any k of n shares give the key again, fewer give nothing, and shares of two sets do not mix', async () => {
  const { split, combined, isShare } = await loadSlip39()
  const key = new Secret(new Uint8Array(32).map((_, index) => index * 7))
  const shares = split(key, 3, 5)
  assert.ok(shares.every(isShare))
  assert.equal(new Set(shares.map(beginOf)).size, 1)
  for (let a = 0; a < 5; a++)
    for (let b = 0; b < a; b++) {
      const two = [shares[a] ?? '', shares[b] ?? '']
      assert.throws(() => combined(two), RootKeyError)
      for (let c = 0; c < b; c++) assert.deepEqual(combined([...two, shares[c] ?? '']).reveal(), key.reveal())
    }
  const others = split(key, 3, 5)
  assert.throws(
    () => combined([...shares.slice(0, 2), others[2] ?? '']),
    (error) => error instanceof RootKeyError && error.message === 'the shares do not fit together',
  )
})

test('a share that was made for another file is named, though its words are in order', async () => {
  const { split, isShare } = await loadSlip39()
  const shares = split(new Secret(new Uint8Array(32).fill(1)), 2, 3)
  const entry = {
    seal: 'shamir',
    threshold: 2,
    begins: beginOf(shares[0] ?? ''),
    shares: shares.slice(0, 2).map((share) => shareDigest(share, 'one file')),
  } as const
  const trouble = (share: string, file = 'one file') =>
    shareTrouble(share, { entry, file, given: new Set(shares.slice(1, 2)), isShare })
  assert.equal(trouble(shares[0] ?? ''), undefined)
  assert.match(trouble(shares[1] ?? '') ?? '', /given already/)
  assert.match(trouble(shares[2] ?? '') ?? '', /not made with this file/)
  assert.match(trouble(shares[0] ?? '', 'another file') ?? '', /not made with this file/)
})

test('a person who says too much, too often or nothing is let go, and the others go on', async (t) => {
  const { path, shares } = collecting(t, { needed: 2 })
  const long = await person(t, path)
  long.write('x'.repeat(10_000))
  await once(long, 'close')
  const wrong = await person(t, path)
  for (let count = 0; count < 12; count++) wrong.write('wrong\n')
  await once(wrong, 'close')
  const silent = await Promise.all(Array.from({ length: 16 }, () => person(t, path)))
  const [one, other] = [await person(t, path), await person(t, path)]
  // Of more than sixteen the first are let go.
  await Promise.all(silent.slice(0, 2).map((socket) => socket.destroyed || once(socket, 'close')))
  let told = ''
  other.on('data', (said) => {
    told += said
  })
  one.write('right 1\nright 1\n')
  other.write('wrong\nRIGHT   2\n')
  assert.deepEqual([...(await shares)].toSorted(), ['right 1', 'right 2'])
  await once(other, 'close')
  assert.match(told, /"given":2/)
  assert.doesNotMatch(told, /right/, 'nobody is told a share')
  await Promise.all(silent.filter((socket) => !socket.destroyed).map((socket) => once(socket, 'close')))
})

test('a person who says nothing for five minutes is let go', async (t) => {
  const idle = t.mock.method(Socket.prototype, 'setTimeout')
  const { path, shares } = collecting(t, { needed: 1 })
  const silent = await person(t, path)
  const [ms, letGo] = idle.mock.calls[0]?.arguments ?? []
  assert.equal(ms, 5 * 60_000)
  const closed = once(silent, 'close')
  letGo?.()
  await closed
  ;(await person(t, path)).write('right\n')
  await shares
})

test('shares that were given are forgotten when nobody gives the next one', async (t) => {
  const { path, shares } = collecting(t, { needed: 2, forgetMs: 1 })
  const one = await person(t, path)
  one.write('right 1\n')
  await once(one, 'data')
  await eventually(async () => (await progressAt(t, path)).given === 0)
  // Of shares that come at once, no more are taken than restore the key: with another one it could not be restored.
  one.write('right 1\nright 2\nright 3\n')
  assert.equal((await shares).length, 2)
})

test('a file in the place of the socket is left alone, and two processes do not wait at one socket', async (t) => {
  const { path, shares } = collecting(t, { needed: 1 })
  await person(t, path)
  await assert.rejects(() => collectShares(collected(path)), /another process waits/)
  const file = join(folder(t), 'file')
  writeFileSync(file, 'mine')
  await assert.rejects(() => collectShares(collected(file)), /it is no socket/)
  ;(await person(t, path)).write('right\n')
  await shares
})

function collecting(t: TestContext, how: { readonly needed: number; readonly forgetMs?: number }) {
  const path = join(folder(t), 'unseal.sock')
  return { path, shares: collectShares({ ...collected(path), ...how }) }
}

function collected(path: string) {
  const trouble = (share: string, given: ReadonlySet<string>) =>
    share.startsWith('right') && !given.has(share) ? undefined : 'no'
  return {
    path,
    forGroup: false,
    needed: 1,
    purpose: 'open' as const,
    forgetMs: 60_000,
    trouble,
    onListening: () => {},
  }
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'claviger-shares-'))
  t.after(() => rmSync(made, { recursive: true }))
  return made
}

async function progressAt(t: TestContext, path: string): Promise<Progress> {
  const socket = connect(path)
  t.after(() => socket.destroy())
  const [said] = await once(socket, 'data')
  return JSON.parse(String(said))
}

/** Connected, and told how far it is. */
async function person(t: TestContext, path: string): Promise<Socket> {
  const socket = connect(path)
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  for (;;)
    try {
      await once(socket, 'data')
      return socket
    } catch {
      return await person(t, path)
    }
}
