import { isUuid } from '../../../trusted/base/ids.ts'
import { isLoopback } from '../../../trusted/base/loopback.ts'
import type { AuditTarget } from '../../delivery/audit/audit-sink.ts'
import { decodedPart } from '../../delivery/decoded-part.ts'
import { absolutePath, commaSeparated } from './plain-formats.ts'
import type { Source } from './setting.ts'

/** `off`, a file, or the address of a receiver. No address is quoted, because it may contain a password. */
export function auditTarget(text: string, name: string, source: Source): AuditTarget | undefined {
  if (text === 'off') return undefined
  if (!text.includes('://')) return { kind: 'file', path: absolutePath(text, name, source) }
  const url = URL.parse(text)
  const target = url === null ? undefined : targetAt(url)
  if (target === undefined)
    source.problems.push(
      `${name} is not an address of an audit stream: it must be off, a file, https:// (http:// for localhost, 127.0.0.1 and [::1] alone), syslog+tcp://host:port, syslog+tls://host:port or syslog+unix:///path`,
    )
  return target
}

function targetAt(url: URL): AuditTarget | undefined {
  const { protocol, hostname, port, pathname, username, password } = url
  switch (protocol) {
    case 'syslog+unix:': {
      const path = decodedPart(pathname)
      return path === undefined ? undefined : { kind: 'syslog', at: { transport: 'unix', path } }
    }
    case 'syslog+tcp:':
    case 'syslog+tls:': {
      if (hostname === '' || port === '') return undefined
      const transport = protocol === 'syslog+tcp:' ? 'tcp' : 'tls'
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      return { kind: 'syslog', at: { transport, host, port: Number(port) } }
    }
    case 'https:':
    case 'http:': {
      // The address has a password, and lines say who signs when.
      if (protocol === 'http:' && !isLoopback(hostname)) return undefined
      const [name, secret] = [decodedPart(username), decodedPart(password)]
      if (name === undefined || secret === undefined) return undefined
      const names = Buffer.from(`${name}:${secret}`).toString('base64')
      const authorization = username === '' ? undefined : `Basic ${names}`
      const bare = new URL(url)
      bare.username = ''
      bare.password = ''
      return { kind: 'http', url: bare.href, authorization }
    }
    default:
      return undefined
  }
}

/** `none`, `all`, or ids of organizations. */
export function auditedReads(
  text: string,
  name: string,
  { problems }: Source,
): (organizationId: string) => boolean {
  if (text === 'none' || text === 'all') return () => text === 'all'
  const ids = new Set(commaSeparated(text))
  if (ids.size === 0 || ![...ids].every(isUuid))
    problems.push(
      `${name} is ${JSON.stringify(text)}: it must be none, all, or IDs of organizations between commas`,
    )
  return (organizationId) => ids.has(organizationId)
}
