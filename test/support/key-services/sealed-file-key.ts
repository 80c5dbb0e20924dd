import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Seal, SealParameters } from '../../../src/seals/seal.ts'
import { Secret } from '../../../src/trusted/base/secret.ts'
import { RootKeyError } from '../../../src/trusted/vault/keys/root-key-error.ts'

const FILE = 'ab'.repeat(16)
const OTHER_FILE = 'cd'.repeat(16)

type Entry = { readonly key: string; readonly wrapped: string; readonly sealed: string }

/** The key of a file that a key service has sealed, and ways to open it that have to fail. */
export async function aSealedFileKey(
  seal: Seal,
  { parameters, otherKey }: { readonly parameters: SealParameters; readonly otherKey: string },
) {
  const means = { environment: process.env, randomBytes }
  const key = new Secret(randomBytes(32))
  const closing = async (given = parameters, file = FILE, secret = key): Promise<Entry> =>
    // The fields of every seal of a key service.
    (await seal.close(secret, { parameters: given, file }, means)) as Entry
  const entry = await closing()
  assert.ok(!JSON.stringify(entry).includes(Buffer.from(key.reveal()).toString('hex')))
  const opening = async (change: object = {}, file = FILE) =>
    await seal.open({ seal: seal.name, ...entry, ...change }, file, means)
  const opens = async (): Promise<void> =>
    assert.deepEqual(Buffer.from((await opening()).reveal()), Buffer.from(key.reveal()))
  const others = {
    /** The same entry in another file. */
    file: () => opening({}, OTHER_FILE),
    /** What was wrapped for another file, in this one. */
    wrapped: async () => {
      const { wrapped, sealed } = await closing(parameters, OTHER_FILE)
      return await opening({ wrapped, sealed })
    },
    sealed: () =>
      opening({ sealed: `${entry.sealed.slice(0, -2)}${entry.sealed.endsWith('00') ? '01' : '00'}` }),
    key: () => opening({ key: otherKey }),
    address: () => opening({ address: 'https://evil.example' }),
  }
  return { entry, opening: () => opening(), opens, closing, others }
}

/** It fails with a sentence of ours, which has nothing of this secret. */
export async function refuses(what: () => Promise<unknown>, why: RegExp, secret?: string): Promise<void> {
  await assert.rejects(what, (error) => {
    assert.ok(error instanceof RootKeyError, String(error))
    assert.match(error.message, why)
    assert.ok(secret === undefined || !error.message.includes(secret))
    return true
  })
}
