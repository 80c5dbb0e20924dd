import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { KeyReaders } from '../../trusted/vault/key-readers.ts'
import { answerUnsealing } from './answer-unsealing.ts'
import { codeOfVault } from './code-of-vault.ts'
import { ownModule } from './own-module.ts'
import type { SealSettings } from './seal-process.ts'
import { type VaultLink, vaultLink } from './vault-link.ts'

type RootKeySource = {
  readonly rootKeyPath: string
  /** Its owner alone unless told. */
  readonly rootKeyReaders?: KeyReaders
  /** For the processes that open it, where it is sealed. */
  readonly seals?: SealSettings
}

/** `allowPrivateTargets`: webhooks may be registered at private addresses and without TLS. */
type VaultSettings = RootKeySource & { readonly allowPrivateTargets?: boolean }

export type SpawnedVault = VaultLink & {
  readonly pid: number | undefined
  /** Resolves when the process has ended, with what it ended by: an exit code or a signal. */
  readonly ended: Promise<string>
  /** Ends it, by force where it does not end by itself, and waits until it has. */
  readonly end: () => Promise<void>
}

type VaultProcess = {
  readonly child: ChildProcess
  readonly socket: Duplex
  /** Where it asks for the key of a root key file that is sealed. */
  readonly keys: Duplex
}

const TICK_MS = 1_000
/** A vault that was asked and has said nothing for so long hangs; the supervisor of the service starts both again. */
const HANGS_AFTER_TICKS = 30
const END_MS_MAX = 2_000

/** Starts the vault, and links it to this host; what it may do, see `vaultProcess`. */
export function spawnVault(source: VaultSettings): SpawnedVault {
  const { child, socket, keys } = vaultProcess(source)
  const unsealing = answerUnsealing(keys, source.seals ?? {})
  const link = vaultLink(socket, unsealing)
  const kill = (): boolean => child.kill('SIGKILL')
  const ticking = setInterval(() => {
    link.tick()
    if (link.silentTicks() > HANGS_AFTER_TICKS) kill()
  }, TICK_MS).unref()
  // However this process ends: a vault that was stopped would not notice that its socket is closed.
  process.on('exit', kill)
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  void ended.then(() => {
    clearInterval(ticking)
    process.off('exit', kill)
    link.close()
  })
  return {
    ...link,
    pid: child.pid,
    ended,
    end: async () => {
      link.close()
      const timer = setTimeout(kill, END_MS_MAX)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * Starts the vault as a process of its own. It may read its own code and its root key file, and no other file; it may not write, start
 * processes or threads; it inherits nothing from the environment but where its key is.
 */
export function vaultProcess(source: VaultSettings): VaultProcess {
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
  }
  const child = spawn(process.execPath, [...flags, entry], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
    env,
  })
  // The fourth and the fifth stream are socket pairs, because they were asked for as pipes.
  return { child, socket: child.stdio[3] as unknown as Duplex, keys: child.stdio[4] as unknown as Duplex }
}
