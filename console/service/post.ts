import { Answered, StrangeAnswer } from './answered.ts'
import { utf8 } from './bytes.ts'
import type { Stamper } from './stamp.ts'

/** The service has refused a request; the message is its own. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly answer: Answered

  constructor(status: number, message: string, answer: Answered) {
    super(message)
    this.status = status
    this.answer = answer
  }
}

/** The service could not be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** A change was sent, and nobody has said what came of it. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Longer answers are of no service: a list has at most a hundred activities. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Of a connection that has died without a word nothing more comes. No honest answer takes as long. */
const ANSWER_MS_MAX = 120_000

/**
 * Sends a body to the service that the page came from, as the very bytes that were stamped.
 *
 * @throws Refused, Unreachable, StrangeAnswer, and what the stamper throws
 */
export async function post(path: string, body: string, stamper: Stamper): Promise<Answered> {
  const bytes = utf8(body)
  const [name, value] = await stamper(bytes)
  return await send(`/public/v1/${path}`, bytes, { [name]: value })
}

/** The same without a stamp, for what has another proof in it. @throws Refused, Unreachable, StrangeAnswer */
export async function send(
  path: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Answered> {
  return await answered(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

/** What the service tells everybody. @throws Refused, Unreachable, StrangeAnswer */
export async function received(path: string): Promise<Answered> {
  return await answered(path, {})
}

async function answered(path: string, request: RequestInit): Promise<Answered> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  const response = await fetch(path, { ...request, credentials: 'omit', redirect: 'error', signal }).catch(
    (error: unknown) => {
      throw new Unreachable(error instanceof Error ? error.message : '')
    },
  )
  const answer = new Answered(parsed(await textOf(response)))
  if (response.ok) return answer
  throw new Refused(response.status, answer.has('message') ? answer.text('message') : '', answer)
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = response.body?.getReader()
  for (let length = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Unreachable(error instanceof Error ? error.message : '')
    })
    if (done) break
    length += value.length
    if (length > ANSWER_BYTES_MAX) throw new StrangeAnswer('')
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StrangeAnswer('')
  }
}
