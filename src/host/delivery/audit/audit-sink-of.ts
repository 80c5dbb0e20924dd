import type { Outbound } from '../../outside/outbound.ts'
import type { AuditSink, AuditTarget } from './audit-sink.ts'
import { fileSink } from './file-sink.ts'
import { httpSink } from './http-sink.ts'
import { syslogSink } from './syslog-sink.ts'

/** @param outbound  may reach private addresses, because the operator has named this one */
export function auditSinkOf(target: AuditTarget, outbound: Outbound): AuditSink {
  switch (target.kind) {
    case 'file':
      return fileSink(target.path)
    case 'syslog':
      return syslogSink(target.at)
    case 'http':
      return httpSink(target, outbound)
  }
}
