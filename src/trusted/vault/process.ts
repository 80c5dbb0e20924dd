// The vault process: alone with the root key, one socket to the host, no other I/O once it has started.
import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { activities } from '../activities/list.ts'
import { Pace } from '../base/work.ts'
import { realWorld } from '../base/real-world.ts'
import { secp256k1Backend } from '../crypto/secp256k1.ts'
import { verifyStampAside } from '../crypto/stamp-verify.ts'
import { PROTOCOL_VERSION, type VaultGreeting } from '../../protocol/envelope.ts'
import { openKeyring, type RootKeys } from './keyring.ts'
import { serve } from './serve.ts'
import { readRootKeyFile } from './root-key.ts'
import { isTooOpen, KEY_READERS, tooOpenAdvice } from './key-readers.ts'
import { RootKeyError } from './root-key-error.ts'
import { writeFrame } from '../../protocol/frames.ts'
import { openVault } from './vault.ts'

const HOST_SOCKET_FD = 3

async function start(): Promise<void> {
  const socket = new Socket({ fd: HOST_SOCKET_FD, readable: true, writable: true })
  // Without a host there is nothing to do, and nobody who could ask.
  socket.on('close', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignoreSignal)
  try {
    const file = watchedRootKeyFile()
    const keys = await file.read()
    const vault = openVault({
      world: realWorld,
      keyring: openKeyring(keys.versions, keys),
      rereadRootKeys: file.changed,
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

/** The text that was read last is remembered by its digest, and stretched and opened only where it is another. */
function watchedRootKeyFile(): {
  readonly read: () => Promise<RootKeys>
  readonly changed: () => Promise<RootKeys | undefined>
} {
  let last = ''
  const text = () => privateText(process.env['CLAVIGER_ROOT_KEY'] ?? '', 'root key file')
  const opened = async (found: string): Promise<RootKeys> => {
    const keys = await readRootKeyFile(found, passphrase())
    last = hash('sha256', found)
    return keys
  }
  return {
    read: () => opened(text()),
    changed: async () => {
      const found = text()
      return hash('sha256', found) === last ? undefined : await opened(found)
    },
  }
}

function passphrase(): string | undefined {
  const path = process.env['CLAVIGER_ROOT_PASSPHRASE_FILE']
  if (path !== undefined) return privateText(path, 'passphrase file').replace(/\r?\n$/, '')
  return process.env['CLAVIGER_ROOT_PASSPHRASE']
}

function privateText(path: string, what: string): string {
  try {
    const { mode } = statSync(path)
    const said = process.env['CLAVIGER_ROOT_KEY_READERS']
    const readers = KEY_READERS.find((word) => word === said) ?? 'owner'
    if (isTooOpen(mode, readers))
      throw new RootKeyError(`the ${what} ${path} can be read by others ${tooOpenAdvice(mode)}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof RootKeyError) throw error
    throw new RootKeyError(`the ${what} ${path} cannot be read: ${String(error)}`)
  }
}

void start()
