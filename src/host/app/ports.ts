import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectionLimiter } from '../http/connection-limits.ts'
import { answersFromFolders, type FileFolder } from '../http/file-folder.ts'
import { type RateLimits, UNITS_PER_REQUEST } from '../http/rate-limits.ts'
import type { Route } from '../http/route.ts'
import { httpServer, newBodies } from '../http/server.ts'
import { trustedProxies } from '../http/trusted-proxies.ts'
import { listen } from './check-port.ts'
import type { Config } from './config.ts'
import { consoleFolder } from './console-folder.ts'
import { operatorConnectionsMax, withinDescriptors } from './descriptors.ts'
import { frameFolders } from './frame-folders.ts'

type ServerParts = Parameters<typeof httpServer>[0]

export type Answers = {
  readonly routes: ReadonlyMap<string, Route>
  /** Those of the operator's port. */
  readonly operatorRoutes: ReadonlyMap<string, Route>
  readonly limits: RateLimits | undefined
  /** The key that signs every bundle: P-256, 65 bytes uncompressed, lowercase hex. */
  readonly signerKey: () => Promise<string>
  /** The parts of every server. */
  readonly server: Omit<ServerParts, 'routes' | 'files' | 'isTrustedProxy' | 'bodies'>
  readonly onTrouble: (error: unknown) => void
}

type Port = Pick<ServerParts, 'routes' | 'files'> & {
  readonly port: number
  /** The name of the setting with the port. */
  readonly setting: string
  /** That of the interface unless given. */
  readonly host?: string
  /** The bound on connections, the one of all public ports unless given. */
  readonly limit?: (server: Server) => void
}

/** The addresses of a service; undefined for what it does not serve. */
export type Addresses = {
  readonly url: string
  readonly consoleUrl: string | undefined
  readonly framesUrl: string | undefined
  readonly operatorUrl: string | undefined
  readonly connectionsMax: number
}

/**
 * Listens at every port of the settings.
 *
 * @param servers  receives each server that listens, so that they can be closed where a later port is in use
 * @throws ConfigError if a port is in use
 */
export async function openPorts(config: Config, answers: Answers, servers: Server[]): Promise<Addresses> {
  const { routes, operatorRoutes, limits, signerKey, onTrouble } = answers
  const isTrustedProxy = trustedProxies(config.trustedProxies)
  const connections = withinDescriptors(config.connections)
  const limitPublic = connectionLimiter(connections, isTrustedProxy)
  const bodies = newBodies()
  const filesOf = (folders: readonly FileFolder[]) =>
    answersFromFolders(folders, ({ clientAddress }) => limits?.arrive('address', clientAddress, FILE_UNITS))
  const open = async (of: Port): Promise<number> => {
    const { routes, files, port, setting, host = config.host, limit = limitPublic } = of
    const server = httpServer({ ...answers.server, routes, files, bodies, isTrustedProxy })
    limit(server)
    await listen(server, { host, port, backlog: 1024 }, setting)
    servers.push(server)
    // An error in accepting one connection, such as missing descriptors, must not end the others.
    server.on('error', onTrouble)
    // A listening TCP server has an address with a port.
    return (server.address() as AddressInfo).port
  }
  const withConsole = { routes, files: filesOf([consoleFolder]) }
  const own = config.console === 'on' ? withConsole : { routes }
  const port = await open({ ...own, port: config.port, setting: 'CLAVIGER_PORT' })
  const consolePort =
    typeof config.console === 'number'
      ? await open({ ...withConsole, port: config.console, setting: 'CLAVIGER_CONSOLE' })
      : port
  const { operator, frames } = config
  const operatorMax = operatorConnectionsMax()
  const operatorPort =
    operator.port === undefined
      ? undefined
      : await open({
          routes: operatorRoutes,
          port: operator.port,
          setting: 'CLAVIGER_OPERATOR_PORT',
          host: operator.host,
          limit: connectionLimiter(
            { connectionsMax: operatorMax, perAddressMax: operatorMax },
            isTrustedProxy,
          ),
        })
  const { allowedOrigins } = frames
  const framesPort =
    allowedOrigins.length === 0
      ? undefined
      : await open({
          routes: new Map(),
          files: filesOf(frameFolders({ allowedOrigins, signerKey: await signerKey() })),
          port: frames.port,
          setting: 'CLAVIGER_FRAMES_PORT',
        })
  const browser = browserHost(config.host)
  return {
    url: urlAt(config.host, port),
    consoleUrl: config.console === 'off' ? undefined : `${urlAt(browser, consolePort)}${consoleFolder.path}`,
    framesUrl: framesPort === undefined ? undefined : urlAt(browser, framesPort),
    operatorUrl: operatorPort === undefined ? undefined : urlAt(operator.host, operatorPort),
    connectionsMax: connections.connectionsMax,
  }
}

/** A file of the console counts as at most so many requests. */
const FILE_UNITS = 4 * UNITS_PER_REQUEST

function urlAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The address for a browser: passkeys need a name, and a loopback address is not one. */
function browserHost(host: string): string {
  return host === '127.0.0.1' || host === '::1' ? 'localhost' : host
}
