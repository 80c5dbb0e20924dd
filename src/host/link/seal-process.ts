import { type ChildProcess, spawn } from 'node:child_process'
import type { Stream } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { OpenRequest } from '../../trusted/vault/keys/unseal.ts'
import { ownModule } from './own-module.ts'
import { passOnWords } from './words-of-seal.ts'

/** The environment of the processes of seals: our settings by name, and the environment of the service. */
export type SealSettings = { readonly [name: string]: string | undefined }

/** The task of a process: to open the file by the seal at a place, or something else. */
type SealTask = OpenRequest['place'] | `trial ${OpenRequest['place']}` | 'rehearsal' | 'organization'

/** A tool or a service that has not answered by then is gone. */
const OPEN_MS_MAX = 40_000
/** For what it has written before it ended. */
const LAST_WORDS_MS = 1_000

/**
 * Starts the process of one seal, and waits until it has ended.
 *
 * @param keys  where it hands over the key: the other end of this is not ours to read, or it is a pipe that is asked
 *              for here
 */
export function sealProcess(
  settings: SealSettings,
  { place, byPeople }: Pick<OpenRequest, 'byPeople'> & { readonly place: SealTask },
  keys: Stream | 'pipe',
): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const entry = fileURLToPath(ownModule('../../seals/process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
    // Its input ends with this process, however that ends.
    stdio: ['pipe', 'ignore', 'pipe', keys],
    env: { ...settings, CLAVIGER_SEAL: String(place) },
    // With the tools that it starts, it is a group that is ended as one.
    detached: true,
  })
  if (child.stderr !== null)
    passOnWords(child.stderr, {
      say: (sentence) => process.stderr.write(`${sentence}\n`),
      endless: () => endGroup(child),
    })
  const timer = byPeople ? undefined : setTimeout(() => endGroup(child), OPEN_MS_MAX)
  const ended = endOf(child)
  void ended.then(() => {
    clearTimeout(timer)
    // Something else may hold the other end, and nobody waits for that.
    setTimeout(() => child.stderr?.destroy(), LAST_WORDS_MS).unref()
  })
  return { child, ended }
}

/** How a process has ended: its exit code or signal, or why it has not started. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
