import { connect, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { realTimers, type Timers } from '../../outside/timers.ts'
import type { AuditEvent } from './audit-event.ts'
import { AUDIT_TIMEOUT_MS, type AuditSink, type SyslogAddress } from './audit-sink.ts'

/**
 * Messages of RFC 5424 over a stream, each preceded by its length (RFC 6587, 3.4.1). The protocol has no receipt. So
 * each batch has a connection of its own, which this end closes first: the receiver closes its own end after it has
 * read the last byte. A receiver that has died breaks the connection instead.
 */
export function syslogSink(at: SyslogAddress, timers: Timers = realTimers): AuditSink {
  return async (events) => {
    const socket = opened(at)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let hasEnded = false
    // Of the whole attempt, and not of its silence: a receiver may send for ever.
    const stopTimer = timers.after(AUDIT_TIMEOUT_MS, () =>
      socket.destroy(
        new Error(`the syslog receiver did not close the connection within ${AUDIT_TIMEOUT_MS / 1000} s`),
      ),
    )
    socket.on('error', reject)
    socket.on('end', () => (hasEnded = true))
    socket.on('close', () =>
      hasEnded ? resolve() : reject(new Error('the syslog receiver broke the connection')),
    )
    // The receiver's data is ignored, but it has to be read for the end of the connection to be seen.
    socket.resume()
    socket.end(events.map(framed).join(''))
    try {
      await promise
    } finally {
      stopTimer()
    }
  }
}

function opened(at: SyslogAddress): Socket {
  if (at.transport === 'unix') return connect({ path: at.path, allowHalfOpen: true })
  const { host, port } = at
  const to = { host, port, allowHalfOpen: true }
  if (at.transport === 'tcp') return connect(to)
  // An IP address is not a server name (RFC 6066, 3).
  return connectTls({ ...to, ...(isIP(host) === 0 ? { servername: host } : {}), minVersion: 'TLSv1.2' })
}

/** Facility 13, log audit; severity 5, notice. */
const PRIORITY = 13 * 8 + 5
const NAME =
  hostname()
    .replaceAll(/[^!-~]/g, '_')
    .slice(0, 255) || '-'

/** The text is ASCII, so its length is the number of its bytes. */
function framed(event: AuditEvent): string {
  const head = `<${PRIORITY}>1 ${event.time} ${NAME} claviger ${process.pid} ${event.event} -`
  const message = `${head} ${JSON.stringify(event)}`
  return `${message.length} ${message}`
}
