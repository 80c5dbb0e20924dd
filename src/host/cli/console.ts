import { readWords } from './arguments.ts'
import { untilStopped } from './until-stopped.ts'
import { UsageError } from './usage.ts'
import type { ExitCode } from './exit-codes.ts'

/**
 * `claviger console`: serves the console from this machine's own disk, and checks whether a host serves the same one.
 */
export async function consoleCommand(
  args: readonly string[],
): Promise<ExitCode<'console' | 'console verify'>> {
  const { words: given, values } = readWords(args, {
    of: { type: 'string' },
    port: { type: 'string' },
    json: { type: 'boolean' },
  })
  const { of, port, json = false } = values
  if (given[0] === 'verify' && given.length === 2 && of === undefined && port === undefined) {
    const { verifyConsole } = await import('./console/verify-console.ts')
    const { serviceAddress } = await import('./console/service-address.ts')
    const verdict = await verifyConsole(serviceAddress(given[1] ?? ''))
    const { verdictJson, verdictText } = await import('./console/verdict-text.ts')
    process.stdout.write(json ? verdictJson(verdict) : verdictText(verdict))
    return verdict.isSame ? 0 : 1
  }
  if (given.length > 0 || of === undefined)
    throw new UsageError('give --of URL, or verify URL: claviger help lists both')
  const { serviceAddress } = await import('./console/service-address.ts')
  const { serveConsoleOf } = await import('./console/serve-console-of.ts')
  const service = serviceAddress(of)
  const stopped = untilStopped()
  const served = await serveConsoleOf(service, portOf(port))
  process.stdout.write(
    json ? `${JSON.stringify({ url: served.url, of: service })}\n` : greeting(served.url, service),
  )
  await stopped
  await served.close()
  return 0
}

/** A free one by default: on an unpredictable port, no other program can have left a page in the browser. */
function portOf(port = '0'): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port is a number up to 65535, and 0 for a free one, not ${port}`)
  return Number(port)
}

function greeting(url: string, service: string): string {
  return `The console of this machine's own files, for the service at ${service}:

  ${url}

Sign in with an API key: a passkey belongs to the name of the host, and is not found here. Sign out when you are done.
Stop with Ctrl-C.
`
}
