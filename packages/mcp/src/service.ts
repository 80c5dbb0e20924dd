import { createHash } from 'node:crypto'
import * as z from 'zod'
import { asData, type Data } from './data.ts'
import type { Credentials } from './key-file.ts'
import { boundedText } from './bounded-text.ts'
import { ToolError } from './tool-error.ts'

/** What the tools are given of the world. */
export type Surroundings = {
  readonly now: () => number
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The service as the agent reaches it: over HTTP, with the agent's stamp, and in no other way. */
export type Service = Surroundings & {
  readonly query: <T>(
    operation: string,
    asked: object,
    answer: z.ZodType<T>,
    signal?: AbortSignal,
  ) => Promise<T>
  readonly submit: <T>(operation: string, request: Submission, answer: z.ZodType<T>) => Promise<Submitted<T>>
}

type Submission = {
  readonly type: string
  readonly parameters: object
  readonly organizationId: string
}

/** `fingerprint`: of the very bytes that were sent, as the record names them. */
type Submitted<T> = { readonly answer: T; readonly fingerprint: string }

export function serviceOf(
  { baseUrl, organizationId, key }: Credentials,
  surroundings: Surroundings,
): Service {
  const post = async (path: string, body: string, signal?: AbortSignal): Promise<Answer> => {
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-stamp': key.stamp(body) },
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    })
    return { status: answer.status, json: jsonOf(await boundedText(answer, ANSWER_BYTES_MAX)) }
  }
  return {
    ...surroundings,
    query: async (operation, asked, shape, signal) => {
      const body = JSON.stringify({ organizationId, ...asked })
      const answer = await post(`/public/v1/query/${operation}`, body, signal).catch((error: unknown) => {
        throw signal?.aborted === true ? error : unreachable(baseUrl, error)
      })
      if (answer.status !== 200) throw refusal(answer)
      return read(shape, answer.json, operation)
    },
    submit: async (operation, { type, parameters, organizationId: of }, shape) => {
      const timestampMs = String(surroundings.now())
      const body = JSON.stringify({ type, timestampMs, organizationId: of, parameters })
      const answer = await sentUntilAnswered(() => post(`/public/v1/submit/${operation}`, body), surroundings)
      if (answer.status !== 200) throw refusal(answer)
      const fingerprint = `sha256:${createHash('sha256').update(body).digest('hex')}`
      return { answer: read(shape, answer.json, operation), fingerprint }
    },
  }
}

type Answer = { readonly status: number; readonly json: unknown }

const ANSWER_WITHIN_MS = 120_000
const ANSWER_BYTES_MAX = 32 * 1024 * 1024
const PAUSES_MS = [250, 1_000, 3_000]

/**
 * The same bytes are the same request for the service: sent again after an answer that was lost, or that is a failure
 * of the service behind which it may have signed, they have no second effect. So a model need not guess whether it has
 * signed.
 *
 * A refusal of a later sending says nothing of the first one unless it names the record: a limit of requests, or a
 * proxy in between, refuses before anybody has looked for what was carried out.
 */
async function sentUntilAnswered(send: () => Promise<Answer>, { pause }: Surroundings): Promise<Answer> {
  let last: Answer | undefined
  for (const [tried, ms] of [0, ...PAUSES_MS].entries()) {
    if (tried > 0) await pause(ms)
    last = await send().catch(() => undefined)
    if (last !== undefined && (tried === 0 ? last.status < 500 : saysWhatCame(last))) return last
  }
  throw new ToolError(
    'The service did not answer, and whether it has carried the request out is not known.',
    'Do not ask for the signature again before my_activities shows what became of this request.',
    last === undefined ? undefined : messageOf(last),
  )
}

function saysWhatCame(answer: Answer): boolean {
  return answer.status === 200 || (answer.status < 500 && recordIn(answer) !== undefined)
}

function unreachable(baseUrl: string, error: unknown): ToolError {
  // What fetch throws says what happened in its cause, if anywhere.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new ToolError(
    'The service cannot be asked.',
    'Tell the person who runs it; asking again later changes nothing that is under way.',
    asData(`${baseUrl}: ${cause instanceof Error ? cause.message : String(cause)}`),
  )
}

const errorShape = z.object({
  message: z.string(),
  details: z.array(z.looseObject({})).catch([]),
})

/** A refusal by policies has the id of its record among its details, and the time from which a limit has room again. */
function refusal(answer: Answer): ToolError {
  const { status } = answer
  const activityId = recordIn(answer)
  const roomFrom = detailsOf(answer)
    .map(({ metadata }) => z.object({ roomFrom: z.iso.datetime() }).safeParse(metadata).data?.roomFrom)
    .find((time) => time !== undefined)
  return new ToolError(
    `The service refuses (${status}).`,
    `${ADVICE[status] ?? 'Correct what the service says is wrong, and ask again.'}${
      roomFrom === undefined ? '' : ` If nothing else is signed, the limit has room again from ${roomFrom}.`
    }`,
    messageOf(answer),
    activityId === undefined ? {} : { activityId },
  )
}

function messageOf({ json }: Answer): Data {
  return asData(errorShape.safeParse(json).data?.message ?? 'it does not say why', 1_000)
}

function recordIn(answer: Answer): string | undefined {
  return detailsOf(answer)
    .map(({ resourceName }) => resourceName)
    .find(isUuid)
}

function detailsOf({ json }: Answer) {
  return errorShape.safeParse(json).data?.details ?? []
}

const ADVICE: { readonly [status: number]: string } = {
  401: 'The key of this agent is not accepted: it was revoked, has expired, or belongs elsewhere. Tell a person.',
  403: 'The limits of this agent do not allow it. Do not try to get around them: tell a person what is needed and why.',
  404: 'What the request names does not exist: addresses lists what there is.',
  429: 'Too many requests: wait a minute before asking again.',
  500: 'The service has failed: tell the person who runs it.',
  503: 'The service is not ready: ask again in a minute.',
}

function isUuid(value: unknown): value is string {
  return z.guid().safeParse(value).success
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between may answer with a page.
    return undefined
  }
}

function read<T>(shape: z.ZodType<T>, json: unknown, operation: string): T {
  const { success, data } = shape.safeParse(json)
  if (success) return data
  throw new ToolError(
    `The service answers ${operation} as another version would.`,
    'Tell the person who runs it that this server and the service do not fit together.',
  )
}
