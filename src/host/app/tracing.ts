import { optionalPackage } from '../../seals/optional-package.ts'
import { ConfigError } from './config-error.ts'
import type { Log } from './log.ts'
import { packageVersion } from './package-version.ts'

/** A finished request or delivery, with times in milliseconds since 1970. */
export type Traced = {
  readonly name: string
  readonly kind: 'request' | 'delivery'
  /** Unchanged, and of the right form. */
  readonly traceparent?: string | undefined
  readonly from: number
  readonly to: number
  readonly isError: boolean
  readonly attributes: { readonly [name: string]: string | number }
  readonly stages: readonly { readonly name: string; readonly from: number; readonly to: number }[]
}

export type Tracing = {
  /** Never waits, and never throws because of a collector. */
  readonly note: (traced: Traced) => void
  /** Sends the remaining spans, as far as the collector accepts them. */
  readonly close: () => Promise<void>
}

/** The exports of the package of traces. */
export type TracingPackage = {
  readonly tracing: (options: {
    readonly url: string
    readonly version: string
    readonly onTold: (told: 'fails' | 'recovered', detail: string) => void
  }) => Tracing
}

/**
 * Loads the package that sends traces, if a collector is set.
 *
 * @throws ConfigError if the package is not installed
 */
export async function tracingTo(url: string | undefined, log: Log): Promise<Tracing | undefined> {
  if (url === undefined) return undefined
  const found = optionalPackage('opentelemetry')
  if (found.kind === 'missing')
    throw new ConfigError([`CLAVIGER_TRACES needs a package of its own: ${found.howTo}`])
  // Our own package: `packages/opentelemetry/src/opentelemetry.ts`, or its compiled form.
  const { tracing } = (await import(found.address)) as TracingPackage
  return tracing({
    url,
    version: packageVersion(),
    onTold: (told, detail) =>
      log('warn', told === 'fails' ? 'traces fail' : 'traces accepted again', { detail }),
  })
}
