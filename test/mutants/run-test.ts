import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../support/compile-cache.ts'

type TestRun = { readonly outcome: 'green' | 'red' | 'hung'; readonly ms: number }

const root = fileURLToPath(new URL('../../', import.meta.url))
const beside = (name: string): string => new URL(name, import.meta.url).href

/** One test file in a process of its own, which ends with the first test that fails. */
export function runTest(
  test: string,
  options: { readonly env: Readonly<Record<string, string>>; readonly deadlineMs: number },
): TestRun {
  const startedAt = performance.now()
  const seed = ['--import', beside('../support/seed-properties.ts')]
  const { status, error } = spawnSync(
    process.execPath,
    [...seed, '--test-reporter', beside('first-red.ts'), test],
    {
      cwd: root,
      timeout: Math.ceil(options.deadlineMs),
      killSignal: 'SIGKILL',
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...options.env },
    },
  )
  const ms = performance.now() - startedAt
  if (error !== undefined) return { outcome: 'hung', ms }
  return { outcome: status === 0 ? 'green' : 'red', ms }
}
