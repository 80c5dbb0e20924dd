import { createServer, type ListenOptions, type Server } from 'node:net'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'

/**
 * Checks that no other program listens at this address, before any file is made or opened for it.
 *
 * @throws ConfigError that names the setting
 */
export async function checkPort(config: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer()
  await listen(server, config)
  await new Promise((resolve) => server.close(resolve))
}

/**
 * @param setting  the name of the setting with the port
 * @throws ConfigError if the address is in use, or does not belong to this machine
 */
export function listen(
  server: Server,
  { host, port, ...options }: Pick<Config, 'host' | 'port'> & ListenOptions,
  setting = 'CLAVIGER_PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void => {
      const hostSetting = setting === 'CLAVIGER_OPERATOR_PORT' ? 'CLAVIGER_OPERATOR_HOST' : 'CLAVIGER_HOST'
      const problem = problemOf(error.code, `${setting} is ${port}`, { host, hostSetting })
      reject(problem === undefined ? error : new ConfigError([problem]))
    }
    server.once('error', refused)
    server.listen({ ...options, host, port }, () => {
      server.off('error', refused)
      resolve()
    })
  })
}

function problemOf(
  code: string | undefined,
  portIs: string,
  { host, hostSetting }: { readonly host: string; readonly hostSetting: string },
): string | undefined {
  if (code === 'EADDRINUSE')
    return `${portIs}, and another process listens there already (at ${host}): end it, or set another port`
  if (code === 'EACCES') return `${portIs}, which this user may not listen at: set one from 1024`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${hostSetting} is ${JSON.stringify(host)}, which is not an address of this machine (${code})`
  return undefined
}
