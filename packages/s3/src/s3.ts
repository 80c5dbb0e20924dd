import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { asking } from './asking.ts'
import { AWAITED, LIMITS, type Limits } from './limits.ts'
import { collected } from './short-answer.ts'
import { InvalidAnswer } from './trouble-of.ts'
import { type Parts, writeObject } from './write-object.ts'

/** Of an upload: no storage takes more parts than that. */
const PARTS: Parts = { bytes: 16 * 1024 * 1024, max: 10_000 }
const TRIES = 3
/** With 1,000 names each. */
const LIST_PAGES_MAX = 100

/**
 * A bucket of S3-compatible storage. Region, endpoint and credentials come from where the client looks for them.
 *
 * @param isAwaited  whether somebody waits for an answer, who is told sooner that there is none
 * @param limits     for tests
 * @param parts      for tests
 */
export function bucketStorage({
  bucket: Bucket,
  isAwaited = false,
  limits = isAwaited ? AWAITED : LIMITS,
  parts = PARTS,
}: {
  readonly bucket: string
  readonly isAwaited?: boolean
  readonly limits?: Limits
  readonly parts?: Parts
}) {
  const ask = asking()
  return {
    /** The keys that begin so, and have no `/` behind that. */
    list: async (prefix: string) =>
      await ask(limits.asked, async (client, options) => {
        const keys: string[] = []
        let token: string | undefined
        for (let page = 0; page < LIST_PAGES_MAX; page++) {
          const {
            Contents = [],
            IsTruncated,
            NextContinuationToken,
          } = await client.send(
            new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }),
            options,
          )
          // What a list always says: the page of a proxy, and an answer without a body, say nothing of keys either.
          if (IsTruncated === undefined) throw new InvalidAnswer('no list')
          for (const { Key } of Contents) if (Key !== undefined) keys.push(Key)
          if (NextContinuationToken === undefined) {
            if (IsTruncated) throw new InvalidAnswer('a page without the name of the next one')
            return { keys }
          }
          token = NextContinuationToken
        }
        throw new InvalidAnswer('a list without end')
      }),

    /** The length in bytes, and the tag by which every reading is of the same object. */
    look: async (Key: string) =>
      await ask(limits.asked, async (client, options) => {
        const { ContentLength, ETag } = await client.send(new HeadObjectCommand({ Bucket, Key }), options)
        if (ContentLength === undefined || ETag === undefined) throw new InvalidAnswer('no length or no tag')
        return { size: ContentLength, tag: ETag }
      }),

    /** The bytes from `start` on and before `end`, which is not `start`. */
    read: async ({ key: Key, tag: IfMatch, start, end }: Read) =>
      await ask(limits.moved, async (client, options) => {
        const Range = `bytes=${start}-${end - 1}`
        const command = new GetObjectCommand({ Bucket, Key, IfMatch, Range })
        for (let tried = 1; ; tried++) {
          // The client itself tries again as long as no answer has begun.
          const answer = await client.send(command, options)
          try {
            return { bytes: await bytesOf(answer, { tag: IfMatch, start, end }) }
          } catch (error) {
            if (tried === TRIES || error instanceof InvalidAnswer) throw error
          }
        }
      }),

    /** Makes an object once: not where one with this key was there. */
    write: async (Key: string, pieces: AsyncIterable<Uint8Array>) =>
      await writeObject(ask, { Bucket, Key }, pieces, { limits, parts }),
  }
}

type Read = { readonly key: string; readonly tag: string; readonly start: number; readonly end: number }

type Answer = {
  readonly ContentRange?: string | undefined
  readonly ETag?: string | undefined
  readonly Body?: AsyncIterable<Uint8Array> | object | undefined
}

/** @throws InvalidAnswer where the answer is of another range, or of another object */
async function bytesOf(
  { ContentRange, ETag, Body }: Answer,
  { tag, start, end }: Omit<Read, 'key'>,
): Promise<Uint8Array> {
  if (Body === undefined || !(Symbol.asyncIterator in Body)) throw new InvalidAnswer('no body')
  // A server that knows no ranges would send all of it, and one that knows no If-Match what stands there now: not a
  // byte of that is waited for.
  const isAsked = ETag === tag && ContentRange?.startsWith(`bytes ${start}-${end - 1}/`) === true
  const bytes = await collected(Body, isAsked ? end - start : 0)
  if (bytes.length < end - start) throw new InvalidAnswer('fewer bytes than were asked for')
  return bytes
}
