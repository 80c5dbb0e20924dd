// Archives in S3-compatible storage against a server that is not ours:
//   npm run storage -- s3://bucket/prefix [megabytes of the large file]
// Region, endpoint and credentials come from the environment. What is written stays, under a prefix of its own.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { openArchivePlace } from '../../src/host/app/open-archive-place.ts'
import type { ArchivePlace } from '../../src/host/copies/archive-place.ts'
import type { StoredFile } from '../../src/host/copies/stored-file.ts'
import { countGiven, refuse } from '../support/given.ts'

const PIECE_BYTES = 256 * 1024
const MEGABYTE = 1024 * 1024

const [address, megabytes = '64'] = process.argv.slice(2)
if (address?.startsWith('s3://') !== true) refuse('npm run storage -- s3://bucket/prefix [megabytes]')
const largeMegabytes = countGiven(megabytes, 'megabytes')
const place = await openArchivePlace(`${address}/trial-${randomBytes(6).toString('hex')}`)
const small = randomBytes(1_000_003)

await place.prepare()
await place.prepare()
done('it writes once, and says so when it is asked again')

assert.deepEqual(await place.list(), ['write-once.txt'])
assert.equal(await place.open('activities-2026-03.claviger'), undefined)
await place.write('activities-2026-03.claviger', pieces(small))
await assert.rejects(
  place.write('activities-2026-03.claviger', pieces(randomBytes(10))),
  /was written in the meantime/,
)
const file = await opened('activities-2026-03.claviger')
assert.equal(file.size, small.length)
for (const [start, end] of [
  [0, small.length],
  [0, 1],
  [small.length - 1, small.length],
  [500, 500],
  [1_000, 400_000],
] as const)
  assert.ok((await bytesOf(file, { start, end })).equals(small.subarray(start, end)))
await assert.rejects(bytesOf(file, { start: 10, end: small.length + 1 }), /no valid answer/)
done('any range of a file is read, and a file is not written twice')

const broken = new Error('broken off')
await assert.rejects(
  place.write(
    'activities-2026-04.claviger',
    (async function* () {
      for (let at = 0; at < 100; at++) yield randomBytes(PIECE_BYTES)
      throw broken
    })(),
  ),
  broken,
)
assert.equal(await place.open('activities-2026-04.claviger'), undefined)
done('a file of which half was written is not there')

const both = await Promise.allSettled(
  ['a', 'b'].map((text) => place.write('both', pieces(Buffer.from(text)))),
)
assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1, 'one of two')
done('of two that write a file at once one has written it')

await large(place, largeMegabytes)

async function large({ write }: ArchivePlace, size: number): Promise<void> {
  const sum = createHash('sha256')
  let rss = 0
  const from = performance.now()
  const piece = randomBytes(PIECE_BYTES)
  await write(
    'large',
    (async function* () {
      for (let at = 0; at < (size * MEGABYTE) / PIECE_BYTES; at++) {
        piece.writeUInt32BE(at)
        sum.update(piece)
        rss = Math.max(rss, process.memoryUsage.rss())
        yield Buffer.from(piece)
      }
    })(),
  )
  const written = performance.now()
  const read = createHash('sha256')
  const stored = await opened('large')
  for await (const bytes of stored.read({ start: 0, end: stored.size })) {
    read.update(bytes)
    rss = Math.max(rss, process.memoryUsage.rss())
  }
  assert.equal(stored.size, size * MEGABYTE)
  assert.equal(read.digest('hex'), sum.digest('hex'))
  const rate = (ms: number): string => `${Math.round(size / (ms / 1_000))} MiB/s`
  const rates = `written at ${rate(written - from)}, read at ${rate(performance.now() - written)}`
  done(`${size} MiB ${rates}, with ${Math.round(rss / MEGABYTE)} MiB of memory at most`)
}

async function opened(name: string): Promise<StoredFile> {
  return (await place.open(name)) ?? assert.fail(`${name} is there`)
}

async function bytesOf(file: StoredFile, range: Parameters<StoredFile['read']>[0]): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const piece of file.read(range)) read.push(piece)
  return Buffer.concat(read)
}

async function* pieces(...bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes
}

function done(what: string): void {
  console.log(`ok  ${what}`)
}
