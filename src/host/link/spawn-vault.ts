import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { KeyReaders } from '../../trusted/vault/keys/key-readers.ts'
import { answerUnsealing } from './answer-unsealing.ts'
import { codeOfVault } from './code-of-vault.ts'
import { startTicking } from './ticks.ts'
import { ownModule } from './own-module.ts'
import type { RunningVault } from './running-vault.ts'
import { endOf, type SealSettings } from './seal-process.ts'
import { vaultLink } from './vault-link.ts'

type RootKeySource = {
  readonly rootKeyPath: string
  /** Its owner alone unless told. */
  readonly rootKeyReaders?: KeyReaders
  /** For the processes that open it, where it is sealed. */
  readonly seals?: SealSettings
}

/** Where a vault of its own takes hosts: at a socket that it makes, or at one that listens already. */
export type Listening = { readonly path: string } | { readonly fd: number }

/**
 * `allowPrivateTargets`: webhooks may be registered at private addresses and without TLS. `listening`: it is a service,
 * and takes hosts beside this process.
 */
type VaultSettings = RootKeySource & {
  readonly allowPrivateTargets?: boolean
  readonly listening?: Listening
}

type VaultProcess = {
  readonly child: ChildProcess
  readonly socket: Duplex
  /** Where it asks for the key of a root key file that is sealed. */
  readonly keys: Duplex
}

const END_MS_MAX = 2_000

/** Starts the vault, and links it to this host; what it may do, see `vaultProcess`. */
export function spawnVault(source: VaultSettings): RunningVault {
  const { child, socket, keys } = vaultProcess(source)
  const unsealing = answerUnsealing(keys, source.seals ?? {})
  const link = vaultLink(socket, unsealing)
  const kill = (): boolean => child.kill('SIGKILL')
  // The supervisor of the service starts both again.
  const stopTicking = startTicking(() => link, kill)
  // However this process ends: a vault that was stopped would not notice that its socket is closed.
  process.on('exit', kill)
  const ended = endOf(child)
  void ended.then(() => {
    stopTicking()
    process.off('exit', kill)
    link.close()
  })
  return {
    vault: link.vault,
    ready: link.ready,
    pid: child.pid,
    ended,
    // It never comes back: this host ends with it.
    onReturn: () => {},
    end: async () => {
      link.close()
      const timer = setTimeout(kill, END_MS_MAX)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * Starts the vault as a process of its own. It may read its own code and its root key file, and no other file; it may
 * not write, start processes or threads; it inherits nothing from the environment but where its key is.
 */
export function vaultProcess(source: VaultSettings): VaultProcess {
  const { listening } = source
  const entry = fileURLToPath(ownModule('../../trusted/vault/process.ts', import.meta.url))
  // The loader of the native library asks by the last of these which C library it is on.
  const readable = [...codeOfVault(import.meta.url), '/etc/alpine-release']
  const flags = [
    '--permission',
    // Little of what it makes lives longer than a request.
    '--max-semi-space-size=8',
    ...[...readable, source.rootKeyPath].map((path) => `--allow-fs-read=${path}`),
    '--allow-addons',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
  const env = {
    // Stamps are verified on the pool; more threads than cores beside the vault's own would only take turns.
    UV_THREADPOOL_SIZE: String(Math.max(1, availableParallelism() - 1)),
    CLAVIGER_ROOT_KEY: source.rootKeyPath,
    ...(source.rootKeyReaders === undefined ? {} : { CLAVIGER_ROOT_KEY_READERS: source.rootKeyReaders }),
    ...(source.allowPrivateTargets === true ? { CLAVIGER_PRIVATE_TARGETS: 'allowed' } : {}),
    ...(listening === undefined
      ? {}
      : { CLAVIGER_VAULT_LISTENS: 'fd' in listening ? 'inherited' : listening.path }),
  }
  const child = spawn(process.execPath, [...flags, entry], {
    stdio: [
      'ignore',
      'inherit',
      'inherit',
      'pipe',
      'pipe',
      ...(listening !== undefined && 'fd' in listening ? [listening.fd] : []),
    ],
    env,
  })
  // The fourth and the fifth stream are socket pairs, because they were asked for as pipes.
  return { child, socket: child.stdio[3] as unknown as Duplex, keys: child.stdio[4] as unknown as Duplex }
}
