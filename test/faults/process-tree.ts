import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process and all that came from it, the parents first; Linux alone tells. */
function withDescendants(pids: readonly number[]): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const found = pids.filter((pid) => parents.has(pid))
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return [...new Set(found)]
}

/** Undefined when it has ended, or is a zombie. */
function parentOf(pid: number): number | undefined {
  try {
    // The name of the program stands in brackets and may hold anything.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' ? undefined : Number(parent)
  } catch {
    return undefined
  }
}

export function isThere(pid: number): boolean {
  return parentOf(pid) !== undefined
}

/** To a process and all that came from it; those that have ended meanwhile are passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of withDescendants(pids))
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!isGone(error)) throw error
    }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH'
}

/**
 * Ends what is noted in a folder, one file for each process, and removes the folder, when this process is gone, however
 * it ends.
 *
 * @returns ends it now
 */
export function keeperOf(folder: string): () => Promise<void> {
  const keeper = spawn('sh', ['-c', KEEPER, 'keeper', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.unref()
  if ('unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref()
  return async () => {
    keeper.ref()
    const gone = new Promise((resolve) => keeper.once('exit', resolve))
    keeper.stdin.end()
    await gone
  }
}

// PostgreSQL notes its own process in the first line of a file among its data.
const KEEPER = `
cat > /dev/null
for file in "$1"/processes/* "$1"/*/data/postmaster.pid; do
  pid=$(head -n 1 "$file" 2> /dev/null) || continue
  kill -KILL "$pid" $(ps -o pid= --ppid "$pid") 2> /dev/null
done
sleep 0.2
rm -rf "$1"
`
