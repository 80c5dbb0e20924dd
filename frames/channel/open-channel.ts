import { Failure } from '../../src/trusted/base/failure.ts'
import { ownValue } from '../base/json.ts'
import { badMessage, channelTaken, tooManyMessages, unknownMessage } from '../failures.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** What a frame answers with: the type of the message, and its value. */
export type Answer = readonly [type: string, value: string | boolean]

export type Answering = (fields: Fields) => Promise<Answer>

/** By the type of the message that asks. */
export type Answers = ReadonlyMap<string, Answering>

/** The page that opened the channel, and how long it wants an embedded key to live. */
export type Opening = { readonly parentOrigin: string; readonly timeToLiveMs: number | undefined }

/** The value of PUBLIC_KEY_READY, and what is answered from then on. */
type Opened = { readonly publicKey: string; readonly answers: Answers }

/** What kept a frame from being opened. */
type Failed = { readonly error: unknown }

/**
 * Waits for the page around this frame to send a port, and answers each message on it, in the order in which they come.
 *
 * Only the page that directly embeds the frame is heard, only from an allowed origin, and only once: a port that comes
 * later is told so and closed. A message from anywhere else changes nothing.
 */
export function openChannel(
  window: Window,
  allowedOrigins: readonly string[],
  open: (opening: Opening) => Promise<Opened>,
): void {
  let isTaken = false
  window.addEventListener('message', ({ data, origin, source, ports }: MessageEvent<unknown>) => {
    if (source !== window.parent || source === window || !allowedOrigins.includes(origin)) return
    const [port] = ports
    if (port === undefined || typeOf(data) !== OPEN) return
    if (isTaken) {
      port.postMessage({ type: 'ERROR', value: channelTaken().message })
      port.close()
      return
    }
    isTaken = true
    void serve(port, open({ parentOrigin: origin, timeToLiveMs: timeToLiveIn(data) }))
  })
}

const OPEN = 'TURNKEY_INIT_MESSAGE_CHANNEL'
const WAITING_MAX = 100
const REQUEST_ID_LENGTH_MAX = 128

async function serve(port: MessagePort, opening: Promise<Opened>): Promise<void> {
  const say = (answer: Answer, requestId?: string): void =>
    port.postMessage({ type: answer[0], value: answer[1], ...(requestId === undefined ? {} : { requestId }) })
  // A frame that could not be opened says so to every message: a page would wait for ever otherwise.
  const opened = await opening.catch((error: unknown): Failed => ({ error }))
  let waiting = 0
  let before = Promise.resolve()
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const requestId = requestIdIn(data)
    if (waiting === WAITING_MAX) {
      say(errorAnswer(tooManyMessages({ max: WAITING_MAX })), requestId)
      return
    }
    waiting += 1
    before = before
      .then(() => answered(opened, data))
      .catch(errorAnswer)
      .then((answer) => {
        waiting -= 1
        say(answer, requestId)
      })
  })
  port.start()
  say('error' in opened ? errorAnswer(opened.error) : ['PUBLIC_KEY_READY', opened.publicKey])
}

async function answered(opened: Opened | Failed, data: unknown): Promise<Answer> {
  if ('error' in opened) throw opened.error
  if (typeof data !== 'object' || data === null) throw badMessage({ what: 'it is not an object' })
  if (requestIdIn(data) === undefined) throw badMessage({ what: '"requestId" is missing or too long' })
  const type = typeOf(data)
  const answer = opened.answers.get(type)
  if (answer === undefined) throw unknownMessage({ type })
  return await answer(fieldsOf(data))
}

/** Of a bug the page learns nothing: its text may quote what the frame keeps from the page. */
function errorAnswer(error: unknown): Answer {
  return ['ERROR', error instanceof Failure ? error.message : 'this frame failed']
}

function typeOf(data: unknown): string {
  const type = ownValue(data, 'type')
  return typeof type === 'string' ? type : ''
}

function requestIdIn(data: unknown): string | undefined {
  const requestId = ownValue(data, 'requestId')
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > REQUEST_ID_LENGTH_MAX)
    return undefined
  return requestId
}

/** In milliseconds; undefined for anything but a number above 0. */
function timeToLiveIn(data: unknown): number | undefined {
  const value = ownValue(data, 'dangerouslyOverrideIframeKeyTtl')
  return typeof value === 'number' && value > 0 ? value : undefined
}
