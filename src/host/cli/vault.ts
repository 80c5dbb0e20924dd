import { chownSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-error.ts'
import { jsonLog } from '../app/log.ts'
import { ownVault } from '../app/start-vault.ts'
import type { Listening } from '../link/spawn-vault.ts'
import { TICK_MS } from '../link/ticks.ts'
import { socketTrouble } from '../link/vault-socket.ts'
import { readArguments } from './arguments.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'
import { untilStopped } from './until-stopped.ts'
import type { ExitCode } from './exit-codes.ts'

/** The rights that users outside the group of the socket lack: the umask while it is made. */
const SOCKET_UMASK = 0o117
/** The first descriptor from a supervisor, according to `LISTEN_FDS`. */
const LISTENING_FD = 3

/** `claviger vault`: the vault as a service with a user of its own, to which hosts connect. */
export async function vault(config: Config, args: readonly string[]): Promise<ExitCode<'vault'>> {
  readArguments(args, {})
  const { vaultPath: path } = config
  if (path === undefined)
    throw new ConfigError(['CLAVIGER_VAULT is not set: it names the socket that hosts connect to'])
  const listening = isHandedOver(process.env) ? { fd: LISTENING_FD } : await placeFor(path)
  const troubles = [rootKeyFileTrouble(config), socketTrouble(path)].filter(
    (trouble) => trouble !== undefined,
  )
  if (troubles.length > 0) throw new ConfigError(troubles)
  const stopped = untilStopped()
  const umask = process.umask(SOCKET_UMASK)
  const running = ownVault(config, listening)
  // Files of the processes of seals are not affected.
  process.umask(umask)
  let own: number | undefined
  try {
    const { secp256k1 } = await running.ready
    own = 'path' in listening ? inodeOf(path) : undefined
    if ('path' in listening) giveToGroupOfFolder(path)
    const log = jsonLog((line) => process.stdout.write(line), realWorld.now)
    log('info', 'listening', { vault: path, secp256k1, vaultPid: running.pid, pid: process.pid })
    const watching = setInterval(
      () => void running.vault.proveRoot('watched').catch(() => undefined),
      TICK_MS,
    )
    const by = await Promise.race([stopped, running.ended])
    clearInterval(watching)
    if (typeof by !== 'string') return 0
    log('error', 'vault ended', { by })
    return 1
  } finally {
    await running.end()
    // Another vault may have its socket there by now.
    if (own !== undefined && inodeOf(path) === own) rmSync(path, { force: true })
  }
}

/** Whether the supervisor passes on a listening socket, as systemd does (sd_listen_fds(3)). */
function isHandedOver(environment: NodeJS.ProcessEnv): boolean {
  return environment['LISTEN_PID'] === String(process.pid) && environment['LISTEN_FDS'] === '1'
}

/**
 * Makes room for the socket: the leftover of a killed vault is removed. The socket of a running one is not, nor is any
 * other file, since a mistyped setting may name the root key.
 */
export async function placeFor(path: string): Promise<Listening> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o750 })
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false)
    throw new ConfigError([
      `CLAVIGER_VAULT names ${path}, which is no socket: name a file that does not exist, and the vault makes its socket there`,
    ])
  const leftover = inodeOf(path)
  // Another vault that starts at this moment may make its socket meanwhile.
  if ((await isAnswered(path)) || inodeOf(path) !== leftover)
    throw new ConfigError([`a vault is running at ${path} already`])
  rmSync(path, { force: true })
  return { path }
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino
}

/** The group of the folder decides who may enter it, and therefore who may connect. */
function giveToGroupOfFolder(path: string): void {
  const { gid } = statSync(dirname(path))
  const { uid, gid: own } = statSync(path)
  if (gid !== own) chownSync(path, uid, gid)
}
