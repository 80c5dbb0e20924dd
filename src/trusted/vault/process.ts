// The vault process: it alone has the root key, and has one socket to its parent process. After the start it does no
// other I/O, except that as a service it lets hosts connect to the configured socket.
import { createServer, Socket } from 'node:net'
import { activities } from '../activities/list.ts'
import { Pace } from '../base/work.ts'
import { realWorld } from '../base/real-world.ts'
import { secp256k1Backend } from '../crypto/secp256k1.ts'
import { verifyStampAsync } from '../crypto/stamp-verify.ts'
import { PROTOCOL_VERSION, type VaultGreeting } from '../../protocol/envelope.ts'
import { Hosts } from './hosts.ts'
import { keyChannel } from './keys/key-channel.ts'
import { openKeyring } from './keys/keyring.ts'
import { serve } from './serve.ts'
import { privateText } from './keys/private-text.ts'
import { RootKeyError } from './keys/root-key-error.ts'
import { writeFrame } from '../../protocol/frames.ts'
import { openVault } from './vault.ts'
import { watchedRootKeyFile } from './keys/watched-root-key-file.ts'

const HOST_SOCKET_FD = 3
const KEYS_FD = 4
/** As a service: a socket that listens already (`socket activation`), where no path is named. */
const LISTENING_FD = 5
/** A host, its replacement during an upgrade, and commands. */
const HOSTS_MAX = 16

async function start(): Promise<void> {
  const socket = new Socket({ fd: HOST_SOCKET_FD, readable: true, writable: true })
  // Without a host there is nothing to do.
  socket.on('close', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignoreSignal)
  try {
    const file = watchedRootKeyFile(rootKeyText, keyChannel(seals), realWorld.elapsed)
    const keys = await file.read()
    const pace = new Pace(() => new Promise((resolve) => setImmediate(resolve)))
    const vault = openVault({
      world: realWorld,
      keyring: openKeyring(keys.versions, keys),
      rereadRootKeys: async () => file.changed(),
      activities,
      verifyStamp: verifyStampAsync,
      pace,
      targets: { allowPrivate: process.env['CLAVIGER_PRIVATE_TARGETS'] === 'allowed' },
    })
    const hosts = new Hosts(vault)
    const welcome = (host: Socket): void => {
      const { vault: joined, left } = hosts.join()
      host.on('close', left)
      serve(joined, host, pace)
      greet(host, { protocol: PROTOCOL_VERSION, ready: { secp256k1: secp256k1Backend } })
    }
    await listening(welcome)
    welcome(socket)
  } catch (error) {
    const reason =
      error instanceof RootKeyError ? error.message : `the vault could not start: ${String(error)}`
    greet(socket, { protocol: PROTOCOL_VERSION, failed: reason })
    socket.end()
  }
}

/** As a service, it accepts hosts from now on; the umask of this process restricts connections to its group. */
async function listening(welcome: (host: Socket) => void): Promise<void> {
  const at = process.env['CLAVIGER_VAULT_LISTENS']
  if (at === undefined) return
  const server = createServer((host) => {
    // A host that disconnects is not an error of the vault: its socket closes next.
    host.on('error', () => undefined)
    welcome(host)
  })
  server.maxConnections = HOSTS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at === 'inherited' ? { fd: LISTENING_FD } : { path: at }, resolve)
  })
  // A connection that cannot be accepted must not end the others. Lack of file descriptors is handled by libuv already.
  server.on('error', () => undefined)
}

function greet(socket: Socket, greeting: VaultGreeting): void {
  socket.write(writeFrame([greeting]))
}

/** The host ends the vault, after it has drained: a Ctrl-C reaches both at once. */
function ignoreSignal(): void {}

/** The pipe through which the processes of seals return the key of the file. */
function seals(): Socket {
  // The host's own socket shows when the host disconnects.
  return new Socket({ fd: KEYS_FD, readable: true, writable: true }).on('error', ignoreSignal)
}

function rootKeyText(): string {
  const { CLAVIGER_ROOT_KEY: path = '', CLAVIGER_ROOT_KEY_READERS: readers } = process.env
  return privateText(path, 'root key file', readers)
}

void start()
