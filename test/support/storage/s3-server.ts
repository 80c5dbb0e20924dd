import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  type Ending,
  type Instead,
  served,
  type ServiceAnswer,
  type ServiceRequest,
} from '../key-services/served.ts'
import { signatureRefused } from '../key-services/signature-v4.ts'

const REGION = 'eu-central-1'
const ACCESS_KEY = 'AKIDEXAMPLE'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const BUCKET = 'archives'
const PART_BYTES_MIN = 5 * 1024 * 1024

type Operation =
  | 'ListObjectsV2'
  | 'HeadObject'
  | 'GetObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'

export type StorageRequest = {
  readonly operation: Operation
  readonly key: string
  readonly request: ServiceRequest
}

/**
 * Says for each request what comes instead of the answer of the storage. `done` does what was asked first, for an
 * answer that is lost on its way.
 */
type StorageFault = (request: StorageRequest, done: () => ServiceAnswer) => Instead | undefined

type Upload = { readonly key: string; readonly parts: Map<number, Buffer> }

/**
 * A server that speaks the protocol of S3 for one bucket, as far as archives need it, after the "API Reference" of
 * Amazon S3: it checks the signature (Signature Version 4), digests and checksums of each request, and takes nothing
 * that differs: every difference is an assertion that failed, kept in `wrong`.
 *
 * @param knowsConditions  false for a server that does not know If-None-Match
 * @param partBytesMin     shorter than a part may be at S3, for tests
 */
export async function anS3(
  t: Ending,
  {
    fault = () => undefined,
    knowsConditions = true,
    partBytesMin = PART_BYTES_MIN,
    pageKeys = 1_000,
  }: {
    readonly fault?: StorageFault
    readonly knowsConditions?: boolean
    readonly partBytesMin?: number
    readonly pageKeys?: number
  } = {},
) {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Upload>()
  const asked: string[] = []
  const wrong: unknown[] = []
  let made = 0

  function answer({ operation, key, request }: StorageRequest): ServiceAnswer {
    const query = queryOf(request)
    const { headers, bytes } = request
    const object = objects.get(key)
    switch (operation) {
      case 'ListObjectsV2': {
        assert.equal(query.get('delimiter'), '/')
        const prefix = query.get('prefix') ?? ''
        const after = query.get('continuation-token') ?? ''
        const keys = [...objects.keys()]
          .filter((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes('/') && one > after)
          .toSorted()
        return listed(keys.slice(0, pageKeys), keys.length > pageKeys)
      }
      case 'HeadObject':
        if (object === undefined) return { status: 404, body: '' }
        return {
          status: 200,
          headers: { 'Content-Length': `${object.length}`, ETag: tagOf(object) },
          body: '',
        }
      case 'GetObject': {
        if (object === undefined) return s3Error(404, 'NoSuchKey')
        if (headers['if-match'] !== tagOf(object)) return s3Error(412, 'PreconditionFailed')
        const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers.range)) ?? []
        assert.ok(start !== undefined && last !== undefined, 'a range is asked for')
        if (Number(start) >= object.length) return s3Error(416, 'InvalidRange')
        const body = object.subarray(Number(start), Number(last) + 1)
        const range = `bytes ${start}-${Number(start) + body.length - 1}/${object.length}`
        return { status: 206, headers: { 'Content-Range': range, ETag: tagOf(object) }, body }
      }
      case 'CreateMultipartUpload': {
        assert.equal(bytes.length, 0)
        assert.equal(headers['x-amz-checksum-algorithm'], 'CRC32', 'parts will have checksums')
        const id = `upload-${++made}`
        uploads.set(id, { key, parts: new Map() })
        return xml(
          'InitiateMultipartUploadResult',
          `<Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
        )
      }
      case 'UploadPart': {
        const number = Number(query.get('partNumber'))
        assert.ok(number >= 1 && number <= 10_000)
        const upload = uploads.get(query.get('uploadId') ?? '')
        if (upload?.key !== key) return s3Error(404, 'NoSuchUpload')
        const checksum = checksumOf(bytes)
        assert.equal(headers['x-amz-checksum-crc32'], checksum, 'a part has its checksum')
        upload.parts.set(number, Buffer.from(bytes))
        return { status: 200, headers: { ETag: tagOf(bytes), 'x-amz-checksum-crc32': checksum }, body: '' }
      }
      case 'CompleteMultipartUpload': {
        const id = query.get('uploadId') ?? ''
        const upload = uploads.get(id)
        if (upload?.key !== key) return s3Error(404, 'NoSuchUpload')
        assert.equal(headers['if-none-match'], '*', 'it is written once')
        if (knowsConditions && object !== undefined) return s3Error(412, 'PreconditionFailed')
        const parts = partsIn(request.body).map(({ number, tag, checksum }, at, all) => {
          const part = upload.parts.get(number)
          assert.ok(part !== undefined && number === at + 1, 'parts are named in their order')
          assert.equal(tag, tagOf(part))
          assert.equal(checksum, checksumOf(part))
          assert.ok(at === all.length - 1 || part.length >= partBytesMin, 'a part is long enough')
          return part
        })
        assert.equal(parts.length, upload.parts.size)
        objects.set(key, Buffer.concat(parts))
        uploads.delete(id)
        return xml(
          'CompleteMultipartUploadResult',
          `<Key>${key}</Key><ETag>${tagOf(Buffer.concat(parts))}</ETag>`,
        )
      }
      case 'AbortMultipartUpload':
        return uploads.delete(query.get('uploadId') ?? '')
          ? { status: 204, body: '' }
          : s3Error(404, 'NoSuchUpload')
    }
  }

  const url = await served(t, (request) => {
    try {
      const { operation, key, bucket } = operationOf(request)
      asked.push(operation)
      const refused = refusedRequest(request)
      const known = bucket === BUCKET
      const done = (): ServiceAnswer =>
        refused ?? (known ? answer({ operation, key, request }) : s3Error(404, 'NoSuchBucket'))
      return fault({ operation, key, request }, done) ?? done()
    } catch (error) {
      wrong.push(error)
      return s3Error(400, 'InvalidRequest')
    }
  })
  const environment = {
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  }
  return { url, environment, bucket: BUCKET, objects, uploads, asked, wrong, secret: SECRET_KEY }
}

/** With what a service must not be quoted with. */
export function s3Error(status: number, code: string): ServiceAnswer {
  return { ...xml('Error', `<Code>${code}</Code><Message>${code} for ${SECRET_KEY}</Message>`), status }
}

export function listed(keys: readonly string[], isTruncated: boolean): ServiceAnswer {
  const next = isTruncated ? `<NextContinuationToken>${keys.at(-1)}</NextContinuationToken>` : ''
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
  return xml('ListBucketResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`)
}

function xml(name: string, content: string): ServiceAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`,
  }
}

function queryOf({ path }: ServiceRequest): URLSearchParams {
  return new URL(path, 'http://s3').searchParams
}

/** The bucket stands in the path, as it does for each endpoint that is named. */
function operationOf(request: ServiceRequest): { operation: Operation; bucket: string; key: string } {
  const { method, path } = request
  const [, bucket = '', key = ''] = /^\/([^/?]+)\/?([^?]*)/.exec(path) ?? []
  const query = queryOf(request)
  const is = (name: string): boolean => query.has(name)
  const operation =
    method === 'GET' && key === '' && query.get('list-type') === '2'
      ? 'ListObjectsV2'
      : method === 'HEAD'
        ? 'HeadObject'
        : method === 'GET'
          ? 'GetObject'
          : method === 'POST' && is('uploads')
            ? 'CreateMultipartUpload'
            : method === 'PUT' && is('partNumber') && is('uploadId')
              ? 'UploadPart'
              : method === 'POST' && is('uploadId')
                ? 'CompleteMultipartUpload'
                : method === 'DELETE' && is('uploadId')
                  ? 'AbortMultipartUpload'
                  : assert.fail(`${method} ${path}`)
  return { operation, bucket, key: decodeURIComponent(key) }
}

function refusedRequest(request: ServiceRequest): ServiceAnswer | undefined {
  const { headers, bytes } = request
  assert.equal(headers['transfer-encoding'], undefined)
  assert.equal(headers['content-encoding'], undefined)
  if (bytes.length > 0) assert.equal(headers['content-length'], String(bytes.length))
  const digest = createHash('sha256').update(bytes).digest('hex')
  assert.equal(headers['x-amz-content-sha256'], digest, 'the body is signed')
  const conditions = ['if-none-match', 'if-match', 'range'].filter((name) => headers[name] !== undefined)
  const refused = signatureRefused(request, {
    service: 's3',
    region: REGION,
    accessKey: ACCESS_KEY,
    secretKey: SECRET_KEY,
    signed: ['host', 'x-amz-content-sha256', 'x-amz-date', ...conditions],
    payload: digest,
  })
  if (refused === undefined) return undefined
  return s3Error(403, refused === 'key' ? 'InvalidAccessKeyId' : 'SignatureDoesNotMatch')
}

function partsIn(body: string) {
  return [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => {
    const field = (name: string): string => new RegExp(`<${name}>(.*?)</${name}>`).exec(part)?.[1] ?? ''
    return {
      number: Number(field('PartNumber')),
      tag: field('ETag').replaceAll('&quot;', '"'),
      checksum: field('ChecksumCRC32'),
    }
  })
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function checksumOf(bytes: Uint8Array): string {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum.toString('base64')
}
