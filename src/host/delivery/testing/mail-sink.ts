import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

type Taken = {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly isEncrypted: boolean
}

type MailSink = {
  readonly port: number
  readonly taken: readonly Taken[]
  readonly connections: () => number
  readonly stop: () => Promise<void>
}

/** A real SMTP server on loopback that keeps the mails it accepts. */
export async function mailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const taken: Taken[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, go) => {
      connections++
      go()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          isEncrypted: session.secure,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  // A listening TCP server has an address and a port.
  const { port } = listener.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { port, taken, connections: () => connections, stop }
}

/** The headers of a mail, unfolded and in order: name in lower case, and value. */
export function headersOf(raw: string): readonly (readonly [string, string])[] {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split(/\r\n|\n|\r/)
    .map(
      (line) =>
        [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
    )
}
