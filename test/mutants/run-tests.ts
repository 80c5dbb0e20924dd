import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../support/compile-cache.ts'
import type { Order, Told } from './one-by-one.ts'

type Outcome = { readonly kind: 'green' } | { readonly kind: 'red' | 'hung'; readonly by: string }

const root = fileURLToPath(new URL('../../', import.meta.url))
const beside = (name: string): string => new URL(name, import.meta.url).href

/** Some tests in a process of their own, which ends with the first that fails; each has its own deadline. */
export function runTests(
  order: Order,
  options: {
    readonly env: Readonly<Record<string, string>>
    readonly deadlineMsOf: (test: string | undefined) => number
    readonly onTold?: (told: Told) => void
  },
): Promise<Outcome> {
  const child = fork(fileURLToPath(beside('one-by-one.ts')), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [
      ...(order.observe === undefined ? [] : COUNTED),
      '--import',
      beside('../support/seed-properties.ts'),
      '--test-reporter',
      beside('first-red.ts'),
    ],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...options.env },
  })
  return new Promise((resolve, reject) => {
    let by: string | undefined
    let kind: 'red' | 'hung' = 'red'
    const hang = (): void => {
      if (by !== undefined) kind = 'hung'
      child.kill('SIGKILL')
    }
    let timer = setTimeout(hang, options.deadlineMsOf(by))
    child.on('message', (message) => {
      // Sent by `one-by-one.ts` and `first-red.ts`.
      const told = message as Told
      options.onTold?.(told)
      if ('isReady' in told) by = 'loading'
      if ('started' in told) by = told.started
      if ('red' in told) by = told.red
      clearTimeout(timer)
      timer = setTimeout(hang, options.deadlineMsOf(by))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      if (by === undefined) reject(new Error(`the process of the tests did not start: it ended with ${code}`))
      else resolve(code === 0 ? { kind: 'green' } : { kind, by })
    })
    child.send(order)
  })
}

/** V8 does not count a call that its optimizing compilers have inlined. */
const COUNTED = ['--no-opt', '--no-maglev']
