import type { IncomingMessage } from 'node:http'
import { defineFailure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'

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

/** The exact bytes of the body; reading stops as soon as there are too many. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > bytesMax) {
        request.pause()
        reject(bodyTooLarge({ bytesMax }))
      } else chunks.push(chunk)
    })
    request.on('end', () => {
      const [only] = chunks
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
    })
    const cutOff = (): void => {
      if (!request.complete) reject(bodyCutOff())
    }
    request.on('error', cutOff)
    request.on('close', cutOff)
  })
}
