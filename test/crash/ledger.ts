import { createHash } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { type StampKey, stampWith } from '../support/stamper.ts'

/** One request as it was sent, and what came back the first time that anything did. */
export type Entry = {
  readonly kind: 'sign' | 'key' | 'rename' | 'propose' | 'approve' | 'code' | 'try'
  readonly path: string
  readonly body: string
  readonly stamp: string
  readonly fingerprint: string
  /** The name of the key to be made. */
  readonly keyName?: string
  /** The code that is tried. */
  readonly otpId?: string
  answer?: string
}

export function entryOf(spec: {
  readonly kind: Entry['kind']
  readonly key: StampKey
  readonly organizationId: string
  readonly type: string
  readonly parameters: object
  readonly keyName?: string
  readonly otpId?: string
}): Entry {
  const body = JSON.stringify({
    type: spec.type,
    timestampMs: String(Date.now()),
    organizationId: spec.organizationId,
    parameters: spec.parameters,
  })
  return {
    kind: spec.kind,
    path: `/public/v1/submit/${spec.type
      .replace('ACTIVITY_TYPE_', '')
      .replace(/_V\d+$/, '')
      .toLowerCase()}`,
    body,
    stamp: stampWith(spec.key, body).stampHeaderValue,
    fingerprint: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    ...(spec.keyName === undefined ? {} : { keyName: spec.keyName }),
    ...(spec.otpId === undefined ? {} : { otpId: spec.otpId }),
  }
}

/** Neither what the request should be answered nor the silence of a process that was killed. */
export class UnexpectedAnswer extends Error {}

export type Connection = {
  /**
   * The text of a success, or of the refusal of a code that is tried; undefined when no answer came because a process
   * was killed.
   *
   * @throws  UnexpectedAnswer
   */
  readonly post: (entry: Pick<Entry, 'kind' | 'path' | 'body' | 'stamp'>) => Promise<string | undefined>
  readonly close: () => void
}

/** @param answerMsMax  after which nothing is waited for any more, where a process may hang */
export function connect(url: string, answerMsMax?: number): Connection {
  const agent = new Agent({ keepAlive: true })
  return {
    close: () => agent.destroy(),
    post: ({ kind, path, body, stamp }) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(
          `${url}${path}`,
          { agent, method: 'POST', headers: { 'x-stamp': stamp, 'content-length': Buffer.byteLength(body) } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', () => resolve(undefined))
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString('utf8')
              // The host without its vault answers 503 in the instant before it ends.
              if (response.statusCode === (kind === 'try' ? 400 : 200)) resolve(text)
              else if (response.statusCode === 503) resolve(undefined)
              else reject(new UnexpectedAnswer(`${path} ${body}: ${response.statusCode} ${text}`))
            })
          },
        )
        sent.on('error', () => resolve(undefined))
        if (answerMsMax !== undefined) {
          const timer = setTimeout(() => sent.destroy(), answerMsMax)
          sent.on('close', () => {
            clearTimeout(timer)
            resolve(undefined)
          })
        }
        sent.end(body)
      }),
  }
}
