// The vault process: alone with the root key, one socket to the host, no other I/O once it has started.
import { Socket } from 'node:net'
import { activities } from '../activities/list.ts'
import { Pace } from '../base/work.ts'
import { realWorld } from '../base/real-world.ts'
import { secp256k1Backend } from '../crypto/secp256k1.ts'
import { verifyStampAside } from '../crypto/stamp-verify.ts'
import { PROTOCOL_VERSION, type VaultGreeting } from '../../protocol/envelope.ts'
import { keyChannel } from './key-channel.ts'
import { openKeyring } from './keyring.ts'
import { serve } from './serve.ts'
import { privateText } from './private-text.ts'
import { RootKeyError } from './root-key-error.ts'
import { writeFrame } from '../../protocol/frames.ts'
import { openVault } from './vault.ts'
import { watchedRootKeyFile } from './watched-root-key-file.ts'

const HOST_SOCKET_FD = 3
const KEYS_FD = 4

async function start(): Promise<void> {
  const socket = new Socket({ fd: HOST_SOCKET_FD, readable: true, writable: true })
  // Without a host there is nothing to do, and nobody who could ask.
  socket.on('close', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignoreSignal)
  try {
    const file = watchedRootKeyFile(rootKeyText, keyChannel(seals))
    const keys = await file.read()
    const vault = openVault({
      world: realWorld,
      keyring: openKeyring(keys.versions, keys),
      rereadRootKeys: async () => file.changed(),
      activities,
      verifyStamp: verifyStampAside,
      pace: new Pace(() => new Promise((resolve) => setImmediate(resolve))),
      targets: { allowPrivate: process.env['CLAVIGER_PRIVATE_TARGETS'] === 'allowed' },
    })
    serve(vault, socket)
    greet(socket, { protocol: PROTOCOL_VERSION, ready: { secp256k1: secp256k1Backend } })
  } catch (error) {
    const reason =
      error instanceof RootKeyError ? error.message : `the vault could not start: ${String(error)}`
    greet(socket, { protocol: PROTOCOL_VERSION, failed: reason })
    socket.end()
  }
}

function greet(socket: Socket, greeting: VaultGreeting): void {
  socket.write(writeFrame([greeting]))
}

/** The host ends the vault, after it has drained: a Ctrl-C reaches both at once. */
function ignoreSignal(): void {}

/** The pipe by which the processes of seals hand over what opens the file. */
function seals(): Socket {
  // A host that is gone is noticed at its own socket.
  return new Socket({ fd: KEYS_FD, readable: true, writable: true }).on('error', ignoreSignal)
}

function rootKeyText(): string {
  const { CLAVIGER_ROOT_KEY: path = '', CLAVIGER_ROOT_KEY_READERS: readers } = process.env
  return privateText(path, 'root key file', readers)
}

void start()
