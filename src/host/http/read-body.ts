import type { IncomingMessage } from 'node:http'
import { defineFailure, INVALID_ARGUMENT, UNAVAILABLE } from '../../trusted/base/failure.ts'
import { Gathered } from '../outside/gathered.ts'
import type { BodyRoom } from './body-room.ts'
import type { BodyTurns } from './body-turns.ts'

const bodyTooLarge = defineFailure<{ readonly bytesMax: number }>({
  kind: 'bodyTooLarge',
  code: INVALID_ARGUMENT,
  say: ({ bytesMax }) => `bad request body: it has more than ${bytesMax} bytes`,
})

const bodyCutOff = defineFailure({
  kind: 'bodyCutOff',
  code: INVALID_ARGUMENT,
  say: () => 'bad request body: the connection ended before the whole of it had come',
})

const tooManyBodies = defineFailure({
  kind: 'tooManyBodies',
  code: UNAVAILABLE,
  say: () => 'too many long bodies are being sent to this service at once; send the same request again',
})

const bodyInPieces = defineFailure<{ readonly piecesMax: number }>({
  kind: 'bodyInPieces',
  code: INVALID_ARGUMENT,
  say: ({ piecesMax }) =>
    `bad request body: it came in more than ${piecesMax} pieces; send it in larger ones`,
})

/** Each takes time, however short it is. A megabyte over a slow line comes in some two thousand. */
const PIECES_MAX = 10_000

/** The first bytes of a body are not counted: a request without them takes up as much, and a usual one has no more. */
const SHORT_BODY_BYTES = 4 * 1024

/**
 * The exact bytes of the body; reading stops as soon as there are too many.
 *
 * @param network  of the client
 * @returns        `leave` is to be called when the bytes are not needed any more: their memory is freed
 */
export function readBody(
  request: IncomingMessage,
  {
    bytesMax,
    room,
    turns,
    network,
  }: {
    readonly bytesMax: number
    readonly room: BodyRoom
    readonly turns: Pick<BodyTurns, 'arrive'>
    readonly network: string
  },
): Promise<{ readonly bytes: Buffer; readonly leave: () => void }> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered(bytesMax)
    let [length, pieces, isOver] = [0, 0, false]
    const body = room.begin(network, () => giveUp(tooManyBodies()))
    const giveUp = (failure: Error): void => {
      isOver = true
      request.pause()
      gathered.clear()
      room.leave(body)
      reject(failure)
    }
    const resumeAfter = (turn: Promise<void> | undefined): void => {
      if (turn === undefined) return
      request.pause()
      void turn.then(() => {
        if (!isOver) request.resume()
      })
    }
    request.on('data', (chunk: Buffer) => {
      const before = counted(length)
      const added = chunk.length
      length += added
      if (length > bytesMax) return giveUp(bodyTooLarge({ bytesMax }))
      if (++pieces > PIECES_MAX) return giveUp(bodyInPieces({ piecesMax: PIECES_MAX }))
      gathered.add(chunk)
      room.grow(body, counted(length) - before)
      if (length > SHORT_BODY_BYTES && !isOver) resumeAfter(turns.arrive(added, network))
    })
    request.on('end', () => {
      isOver = true
      room.arrived(body)
      const leave = (): void => {
        room.leave(body)
        gathered.clear()
      }
      resolve({ bytes: gathered.bytes(), leave })
    })
    const cutOff = (): void => {
      if (!isOver) giveUp(bodyCutOff())
    }
    request.on('error', cutOff)
    request.on('close', cutOff)
  })
}

function counted(length: number): number {
  return Math.max(0, length - SHORT_BODY_BYTES)
}
