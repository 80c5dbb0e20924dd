import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { archiveBucket } from '../../../src/host/copies/archive-bucket.ts'
import type { BucketStoragePackage } from '../../../src/host/copies/bucket-storage.ts'
import { CopyError } from '../../../src/host/copies/copy-error.ts'
import type { ByteRange, StoredFile } from '../../../src/host/copies/stored-file.ts'
import { aLoopbackCertificate } from '../../../test/support/key-services/loopback-certificate.ts'
import { type Instead, served } from '../../../test/support/key-services/served.ts'
import { anS3, listed, s3Error, type StorageRequest } from '../../../test/support/storage/s3-server.ts'
import { LIMITS } from '../src/limits.ts'
import { bucketStorage } from '../src/s3.ts'

const PREFIX = 'claviger/2026'
const NAME = 'activities-2026-03.claviger'
const PATH = `s3://archives/${PREFIX}/${NAME}`
const KEY = `${PREFIX}/${NAME}`
const BYTES = Buffer.from('settled activities of March')
const SHORT = { tryMs: 100, allMs: 250 }
const HASTE = { asked: SHORT, moved: SHORT, completed: SHORT }

test('a file goes into a bucket in parts, by signed requests with checksums, and any range of it comes back', async (t) => {
  const { place, objects, uploads, asked, wrong } = await aBucket(t, { partBytes: 4 })
  await place.prepare()
  await place.write(NAME, pieces(BYTES.subarray(0, 9), Buffer.alloc(0), BYTES.subarray(9)))
  const file = await opened(place)
  assert.deepEqual([place.address, file.path, file.size], [`s3://archives/${PREFIX}`, PATH, BYTES.length])
  for (const start of [0, 1, 13, BYTES.length])
    for (const end of [start, start + 1, BYTES.length])
      if (end <= BYTES.length && start <= end)
        assert.deepEqual(await bytesOf(file, { start, end }), BYTES.subarray(start, end))
  assert.equal(await place.open('activities-2026-04.claviger'), undefined)
  assert.deepEqual([...objects.keys()].toSorted(), [KEY, `${PREFIX}/write-once.txt`])
  assert.equal(asked.filter((operation) => operation === 'UploadPart').length, 2 * 24 + 7)
  assert.deepEqual(wrong, [])
  assert.equal(uploads.size, 0)
})

test('a file that is there is not written again, also where two write it at once', async (t) => {
  const { place, objects, uploads } = await aBucket(t)
  const both = await Promise.allSettled([place.write(NAME, pieces(BYTES)), place.write(NAME, pieces(BYTES))])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await says(() => place.write(NAME, pieces(Buffer.from('less'))), /03\.claviger was written in the meantime/)
  assert.deepEqual(objects.get(KEY), BYTES)
  assert.equal(uploads.size, 0)
})

test('a storage that overwrites is refused before a file is written', async (t) => {
  const { place, objects } = await aBucket(t, { knowsConditions: false })
  await says(() => place.prepare(), /the storage overwrites a file although it was asked not to/)
  assert.deepEqual([...objects.keys()], [`${PREFIX}/write-once.txt`])
  await says(() => place.prepare(), /the storage overwrites/)
})

test('what was written in part is no file, and is taken away', async (t) => {
  const operations = ['UploadPart', 'CompleteMultipartUpload'] as const
  for (const operation of operations) {
    const { place, objects, uploads } = await aBucket(t, {
      partBytes: 4,
      fault: ({ operation: one }) => (one === operation ? s3Error(400, 'InvalidPart') : undefined),
    })
    await says(() => place.write(NAME, pieces(BYTES)), /failed \(400:InvalidPart\)$/)
    assert.deepEqual([objects.size, uploads.size], [0, 0])
  }
  const { place, objects, uploads } = await aBucket(t, { partBytes: 4 })
  const broken = new Error('broken off')
  const failing = async function* () {
    yield BYTES
    throw broken
  }
  await assert.rejects(place.write(NAME, failing()), broken)
  assert.deepEqual([objects.size, uploads.size], [0, 0])
})

test('a file that would have more parts than a storage takes is named', async (t) => {
  const { place, uploads } = await aBucket(t, {
    partBytes: 1,
    partsMax: 20,
    fault: ({ operation }) =>
      operation === 'UploadPart' ? { status: 200, headers: { ETag: '"x"' }, body: '' } : undefined,
  })
  await says(() => place.write(NAME, pieces(Buffer.alloc(21))), /more than the 10,000 parts of 16 MiB/)
  assert.equal(uploads.size, 0)
})

test('a request whose answer is lost is asked again, and nothing is written twice', async (t) => {
  let lost: string | undefined
  const { place, objects, uploads } = await aBucket(t, {
    partBytes: 16,
    fault: ({ operation }, done) => {
      if (operation !== lost) return undefined
      lost = undefined
      done()
      return 'end'
    },
  })
  lost = 'CreateMultipartUpload'
  await place.write('a', pieces(BYTES))
  lost = 'UploadPart'
  await place.write('b', pieces(BYTES))
  lost = 'CompleteMultipartUpload'
  await says(() => place.write('c', pieces(BYTES)), /c was written in the meantime, .* whose answer was lost/)
  assert.deepEqual([...objects.values()], [BYTES, BYTES, BYTES])
  // The upload whose name was lost: the rule of the bucket removes it.
  assert.equal(uploads.size, 1)
  for (const operation of ['HeadObject', 'GetObject', 'ListObjectsV2']) {
    lost = operation
    assert.deepEqual(await whole(await opened(place, 'a')), BYTES)
    assert.equal((await place.list()).length, 3)
    assert.equal(lost, undefined)
  }
})

test('an answer that breaks off is asked for again', async (t) => {
  let times = 0
  const { place } = await aBucket(t, {
    fault: ({ operation }, done) => {
      if (operation !== 'GetObject' || ++times > 2) return undefined
      const { status, headers = {} } = done()
      return {
        status,
        headers: { ...headers, 'Content-Length': `${BYTES.length}` },
        stream: (async function* () {
          yield BYTES.subarray(0, 5)
          throw new Error('broken off')
        })(),
      }
    },
  })
  await place.write(NAME, pieces(BYTES))
  assert.deepEqual(await whole(await opened(place)), BYTES)
  assert.equal(times, 3)
})

test('a file that is exchanged after it was opened, or taken away, is not read any more', async (t) => {
  const { place, objects } = await aBucket(t)
  await place.write(NAME, pieces(BYTES))
  const file = await opened(place)
  objects.set(KEY, Buffer.from('settled activities of April'))
  await says(() => whole(file), /03\.claviger was exchanged while it was read \(412:PreconditionFailed\)$/)
  objects.delete(KEY)
  await says(() => whole(file), /03\.claviger is not there \(404:NoSuchKey\)$/)
})

test('a storage that does not know If-Match cannot mix two files into one', async (t) => {
  let isExchanged = false
  const { place } = await aBucket(t, {
    fault: ({ operation }, done) => {
      if (operation !== 'GetObject' || !isExchanged) return undefined
      const { headers = {} } = done()
      return { status: 206, headers: { ...headers, ETag: '"another"' }, body: Buffer.alloc(BYTES.length) }
    },
  })
  await place.write(NAME, pieces(BYTES))
  const file = await opened(place)
  assert.deepEqual(await whole(file), BYTES)
  isExchanged = true
  await says(() => whole(file), /gave no valid answer/)
})

test('an answer that is not what was asked for is refused, however long it is', async (t) => {
  let instead: Instead | undefined
  const { place } = await aBucket(t, {
    fault: ({ operation }) => (operation === 'GetObject' ? instead : undefined),
  })
  await place.write(NAME, pieces(BYTES))
  const file = await opened(place)
  const range = { 'Content-Range': `bytes 0-${BYTES.length - 1}/${BYTES.length}` }
  const answers: readonly Instead[] = [
    { status: 200, body: BYTES },
    { status: 206, body: BYTES },
    { status: 206, headers: { 'Content-Range': 'bytes 1-9/27' }, body: BYTES.subarray(1, 10) },
    { status: 206, headers: range, body: BYTES.subarray(1) },
    { status: 206, headers: range, body: Buffer.concat([BYTES, BYTES]) },
    { status: 206, headers: range, stream: endless() },
    { status: 200, stream: endless() },
    s3Error(416, 'InvalidRange'),
  ]
  for (const answer of answers) {
    instead = answer
    await says(() => whole(file), /gave no valid answer/)
  }
})

test('a length that is none, and 10 GB of something else, are read no further than they are asked for', async (t) => {
  let head: Instead | undefined
  const { place, asked } = await aBucket(t, {
    fault: ({ operation }) => (operation === 'HeadObject' ? head : undefined),
  })
  await place.write(NAME, pieces(BYTES))
  const sizes = [
    [{}, /gave no valid answer/],
    [{ 'Content-Length': '27' }, /gave no valid answer/],
    [{ ETag: '"x"' }, /gave no valid answer/],
  ] as const
  for (const [headers, why] of sizes) {
    head = { status: 200, headers, body: '' }
    await says(() => place.open(NAME), why)
  }
  head = { status: 200, headers: { 'Content-Length': '10000000000', ETag: '"x"' }, body: '' }
  const file = await opened(place)
  assert.equal(file.size, 10_000_000_000)
  const before = asked.length
  await says(() => whole(file), /was exchanged/)
  assert.equal(asked.length, before + 1)
})

test('a list names what is in the prefix, page by page, and one that lies or has no end names nothing else', async (t) => {
  let instead: ((request: StorageRequest) => Instead) | undefined
  const { place, objects } = await aBucket(t, {
    pageKeys: 2,
    fault: (request) => (request.operation === 'ListObjectsV2' ? instead?.(request) : undefined),
  })
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}.claviger`)
  for (const name of names) objects.set(`${PREFIX}/${name}`, BYTES)
  objects.set(`${PREFIX}/below/f.claviger`, BYTES)
  objects.set('claviger/other.claviger', BYTES)
  assert.deepEqual(await place.list(), names)

  instead = () => listed(['other/a.claviger', `${PREFIX}/b.claviger`, '/etc/passwd'], false)
  assert.deepEqual(await place.list(), ['b.claviger'])
  instead = () => listed([`${PREFIX}/b.claviger`], true)
  await says(() => place.list(), /gave no valid answer/)
  const cut = listed([`${PREFIX}/b.claviger`], true)
  instead = () => ({
    ...cut,
    body: String(cut.body).replace(/<NextContinuationToken>.*<.NextContinuationToken>/, ''),
  })
  await says(() => place.list(), /gave no valid answer/)
  instead = () => ({ status: 200, body: '<html><p>Log in</html>' })
  await says(() => place.list(), /gave no valid answer|failed/)
  // A page of a proxy that is well-formed, and what breaks off before its first byte, are no empty lists.
  for (const body of ['<html><body>Log in</body></html>', '']) {
    instead = () => ({ status: 200, body })
    await says(() => place.list(), /gave no valid answer/)
  }
  instead = () => ({ status: 200, stream: endless() })
  await says(() => place.list(), /gave no valid answer/)
})

test('a redirect is not followed, so that no signed request and no byte goes to another host', async (t) => {
  const elsewhere: string[] = []
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.end('<html>')
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close().closeAllConnections())
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  let isRedirected = false
  const { place } = await aBucket(t, {
    fault: ({ operation }) => {
      if (!isRedirected) return undefined
      const headers = { location, 'x-amz-bucket-region': 'us-east-1' }
      return operation === 'HeadObject'
        ? { status: 301, headers, body: '' }
        : { ...s3Error(307, 'TemporaryRedirect'), headers }
    },
  })
  await place.write(NAME, pieces(BYTES))
  const file = await opened(place)
  isRedirected = true
  for (const ask of [
    () => place.list(),
    () => place.open(NAME),
    () => whole(file),
    () => place.write('other', pieces(BYTES)),
    () => place.prepare(),
  ])
    await says(ask, /redirects to another address, which is not followed/)
  assert.deepEqual(elsewhere, [])
})

test('a storage that does not answer, or drips, is given up in time, whatever is asked', async (t) => {
  const operations = [
    ['ListObjectsV2', async () => await place.list()],
    ['HeadObject', async () => await place.open(NAME)],
    ['GetObject', async () => await whole(file)],
    ['CreateMultipartUpload', async () => await place.write('other', pieces(BYTES))],
    ['UploadPart', async () => await place.write('other', pieces(BYTES))],
    ['CompleteMultipartUpload', async () => await place.write('other', pieces(BYTES))],
  ] as const
  let slow: string | undefined
  let how: Instead = 'hang'
  const { place, objects } = await aBucket(t, {
    limits: HASTE,
    fault: ({ operation }) => (operation === slow ? how : undefined),
  })
  objects.set(KEY, BYTES)
  const file = await opened(place)
  const range = { 'Content-Range': `bytes 0-${BYTES.length - 1}/${BYTES.length}` }
  for (const one of ['hang', { status: 206, headers: range, stream: dripping() }] as const)
    for (const [operation, ask] of operations) {
      slow = operation
      how = one
      await says(ask, /cannot be reached, or does not answer in time|gave no valid answer/)
    }
  assert.deepEqual([...objects.keys()], [KEY])
})

test('what a storage refuses is said in a sentence without what it said itself', async (t) => {
  let status = 403
  let code = ''
  const { place, secret } = await aBucket(t, { fault: () => s3Error(status, code) })
  const refusals = [
    [403, 'AccessDenied', /the credentials have no right to it \(403:AccessDenied\)$/],
    [403, 'InvalidAccessKeyId', /does not accept the credentials \(InvalidAccessKeyId\)$/],
    [400, 'ExpiredToken', /does not accept the credentials/],
    [403, 'RequestTimeTooSkewed', /has another time than this machine/],
    [404, 'NoSuchBucket', /has no such bucket \(NoSuchBucket\)$/],
    [501, 'NotImplemented', /does not know a request that archives need/],
    [400, 'AuthorizationHeaderMalformed', /set AWS_REGION to the region of the bucket/],
    [400, `quotes ${'x'.repeat(300)}`, /failed$/],
  ] as const
  for (const [statusNow, codeNow, why] of refusals) {
    status = statusNow
    code = codeNow
    await says(() => place.list(), why, secret)
    await says(() => place.write(NAME, pieces(BYTES)), why, secret)
  }
})

test('a file that a rule of the bucket has moved to a class without reading is not told as a lack of rights', async (t) => {
  let isCold = false
  const { place } = await aBucket(t, {
    fault: ({ operation }) =>
      operation === 'GetObject' && isCold ? s3Error(403, 'InvalidObjectState') : undefined,
  })
  await place.write(NAME, pieces(BYTES))
  const file = await opened(place)
  isCold = true
  await says(() => whole(file), /is in a storage class that is not read from.* \(InvalidObjectState\)$/)
})

test('an upload that is said to be complete and has failed is no file', async (t) => {
  const { place, objects } = await aBucket(t, {
    fault: ({ operation }) =>
      operation === 'CompleteMultipartUpload' ? { ...s3Error(200, 'InternalError'), status: 200 } : undefined,
  })
  await says(
    () => place.write(NAME, pieces(BYTES)),
    /the storage \(127\.0\.0\.1:\d+\) failed \(.*InternalError\)$/,
  )
  assert.equal(objects.size, 0)
})

test('settings that are missing or wrong are named, and nothing goes over a network in the clear', async (t) => {
  const { asked, environment, bucket } = await aBucket(t)
  const tries: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ AWS_REGION: undefined }, /needs AWS_REGION, or a region in the profile/],
    [{ AWS_ENDPOINT_URL_S3: 'nonsense' }, /AWS_ENDPOINT_URL_S3, such as https:/],
    [{ AWS_ENDPOINT_URL_S3: 'http://s3.example' }, /the storage \(s3\.example\) is not https/],
    [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1.example' }, /\(127\.0\.0\.1\.example\) is not https/],
    [{ AWS_ACCESS_KEY_ID: undefined }, /its client finds no credentials, .* \(CredentialsProviderError\)$/],
    [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }, /cannot be reached, .* \(ECONNREFUSED\)$/],
    [{ AWS_SECRET_ACCESS_KEY: 'other' }, /does not accept the credentials \(SignatureDoesNotMatch\)$/],
  ]
  const before = asked.length
  for (const [change, why] of tries) {
    Object.assign(process.env, environment, change)
    for (const [name, value] of Object.entries(change)) if (value === undefined) delete process.env[name]
    await says(async () => await placeIn(bucket).list(), why, 'wJalr')
  }
  assert.equal(asked.length, before + 1)
  Object.assign(process.env, environment)
  await says(async () => await placeIn('other-bucket').list(), /has no such bucket/)
})

test('a server whose certificate nobody vouches for is sent nothing', async (t) => {
  let asked = 0
  const url = await served(
    t,
    () => {
      asked++
      return listed([], false)
    },
    aLoopbackCertificate(),
  )
  const { environment, bucket } = await aBucket(t)
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_S3: url })
  await says(
    async () => await placeIn(bucket).list(),
    /cannot be reached, .* \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
  )
  assert.equal(asked, 0)
})

type Asking = {
  readonly partBytes?: number | undefined
  readonly partsMax?: number | undefined
  readonly limits?: typeof LIMITS | undefined
}

async function aBucket(
  t: TestContext,
  { partBytes, partsMax, limits, ...server }: Parameters<typeof anS3>[1] & Asking = {},
) {
  const storage = await anS3(t, { partBytesMin: 1, ...server })
  Object.assign(process.env, storage.environment)
  return { ...storage, place: placeIn(storage.bucket, { partBytes, partsMax, limits }) }
}

function placeIn(
  bucket: string,
  { partBytes = 5 * 1024 * 1024, partsMax = 10_000, limits = LIMITS }: Asking = {},
) {
  const parts = { bytes: partBytes, max: partsMax }
  const loaded: BucketStoragePackage = {
    bucketStorage: (where) => bucketStorage({ ...where, limits, parts }),
  }
  return archiveBucket(loaded.bucketStorage({ bucket }), { bucket, prefix: PREFIX })
}

async function opened(place: ReturnType<typeof placeIn>, name = NAME): Promise<StoredFile> {
  return (await place.open(name)) ?? assert.fail(`${name} is there`)
}

async function whole(file: StoredFile): Promise<Buffer> {
  return await bytesOf(file, { start: 0, end: file.size })
}

async function bytesOf(file: StoredFile, range: ByteRange): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const piece of file.read(range)) read.push(piece)
  return Buffer.concat(read)
}

async function* pieces(...bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(64 * 1024, '<a>')
}

async function* dripping(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from(' ')
    await wait(20)
  }
}

/** It fails with a sentence of ours, which has nothing of this secret. */
async function says(ask: () => Promise<unknown>, why: RegExp, secret?: string): Promise<void> {
  await assert.rejects(ask, (error) => {
    assert.ok(error instanceof CopyError, String(error))
    assert.match(error.message, why)
    assert.ok(secret === undefined || !error.message.includes(secret))
    return true
  })
}
