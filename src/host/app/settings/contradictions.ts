import type { Texts } from './setting.ts'

/** The settings that can contradict one another. */
type Ruled = {
  readonly host: string
  readonly port: number
  readonly console: 'on' | 'off' | number
  readonly frames: { readonly allowedOrigins: readonly string[]; readonly port: number }
  readonly operator: { readonly host: string; readonly port: number | undefined }
  readonly audit: { readonly target: unknown }
}

type Passphrases = { readonly passphrasePath: string | undefined; readonly passphrase: string | undefined }

export function twoPassphrases({ passphrase, passphrasePath }: Passphrases): readonly string[] {
  return passphrase !== undefined && passphrasePath !== undefined
    ? ['CLAVIGER_ROOT_PASSPHRASE and CLAVIGER_ROOT_PASSPHRASE_FILE are both set: set one']
    : []
}

/** Problems of settings of a service that are right by themselves, and together are not what the operator meant. */
export function contradictions(config: Ruled, texts: Texts): readonly string[] {
  const { audit, operator } = config
  const reads = texts['CLAVIGER_AUDIT_READS']
  return [
    ...(reads !== undefined && reads !== 'none' && audit.target === undefined
      ? [
          'CLAVIGER_AUDIT_READS is set and CLAVIGER_AUDIT is off: no read would be reported; set CLAVIGER_AUDIT too, or leave CLAVIGER_AUDIT_READS out',
        ]
      : []),
    ...(texts['CLAVIGER_OPERATOR_HOST'] !== undefined && operator.port === undefined
      ? [
          'CLAVIGER_OPERATOR_HOST is set without CLAVIGER_OPERATOR_PORT: /metrics would stay at the port of the interface; set both',
        ]
      : []),
    ...samePorts(config),
  ]
}

/** The service would take itself for another process that listens there. */
function samePorts({ host, port, console, frames, operator }: Ruled): readonly string[] {
  const ports = [
    { name: 'CLAVIGER_PORT', port, host },
    ...(typeof console === 'number' ? [{ name: 'CLAVIGER_CONSOLE', port: console, host }] : []),
    ...(frames.allowedOrigins.length === 0
      ? []
      : [{ name: 'CLAVIGER_FRAMES_PORT', port: frames.port, host }]),
    ...(operator.port === undefined
      ? []
      : [{ name: 'CLAVIGER_OPERATOR_PORT', port: operator.port, host: operator.host }]),
  ].filter((one) => one.port !== 0)
  return ports.flatMap((one, index) => {
    const taken = ports
      .slice(0, index)
      .find((other) => other.port === one.port && overlap(other.host, one.host))
    return taken === undefined
      ? []
      : [`${one.name} is ${one.port}, which is the port of ${taken.name} too: give each one of its own`]
  })
}

function overlap(one: string, other: string): boolean {
  return one === other || covers(one, other) || covers(other, one)
}

/** `::` is every address of both families, and `0.0.0.0` of IPv4 alone. */
function covers(every: string, one: string): boolean {
  return every === '::' || (every === '0.0.0.0' && !one.includes(':'))
}
