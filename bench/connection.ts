import { connect, type Socket } from 'node:net'

const CLOSED = 'the connection was closed'

/** A kept connection, on which one request is sent at a time. */
export type Connection = {
  /** `answered` is called once; with status 0 where the connection was closed before its answer. */
  readonly ask: (request: Buffer, answered: (status: number, text: string) => void) => void
  readonly close: () => void
}

export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let onAnswer: ((status: number, text: string) => void) | undefined
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      resolve({
        ask: (request, answered) => {
          if (socket.destroyed) return answered(0, CLOSED)
          onAnswer = answered
          socket.write(request)
        },
        close: () => socket.destroy(),
      }),
    )
    const tell = (status: number, answer: string): void => {
      const answered = onAnswer
      onAnswer = undefined
      answered?.(status, answer)
    }
    socket.on('error', reject)
    let text = ''
    let wanted = 0
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (wanted === 0) {
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        wanted = end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      }
      if (text.length < wanted) return
      const answer = text
      text = ''
      wanted = 0
      tell(Number(answer.slice(9, 12)), answer)
    })
    socket.on('close', () => tell(0, CLOSED))
  })
}
