import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { collecting, type Collection } from './collected.ts'
import { labelOf } from './label-of.ts'
import { type LinesByPath, observer } from './observed-lines.ts'

// The process of one mutant: runs the tests that it is told, in that order, and ends at the first that fails.

/** The tests to run, all of one file where none is named; and the sources of which executed lines are told. */
export type Order = { readonly tests: readonly TestName[]; readonly observe?: readonly string[] }
type TestName = { readonly file: string; readonly name?: string }
export type Told =
  | { readonly isReady: true }
  | { readonly loaded: LinesByPath }
  | { readonly started: string }
  | { readonly red: string }
  | { readonly ended: string; readonly ms: number; readonly lines: LinesByPath }

const root = fileURLToPath(new URL('../../', import.meta.url))
const collected = collecting()
const loaded = new Map<string, Collection>()
const atEnd: (() => unknown)[] = []
process.once('message', (order) => {
  // Sent by `run-tests.ts`.
  void runAll(order as Order)
})
process.once('disconnect', abandoned)

async function runAll({ tests, observe }: Order): Promise<void> {
  tell({ isReady: true })
  const linesSince = await observer(observe ?? [])
  for (const { file, name } of tests) {
    const { tests: declared, before } = await load(file)
    tell({ loaded: await linesSince() })
    for (const work of before.splice(0)) await work()
    for (const item of declared.filter((other) => name === undefined || other.name === name)) {
      tell({ started: labelOf({ file, name: item.name }) })
      const startedAt = performance.now()
      await test(labelOf({ file, name: item.name }), item.options, item.work)
      tell({ ended: item.name, ms: performance.now() - startedAt, lines: await linesSince() })
      // The reporter hears of it, and ends the process if it failed.
      await setImmediate()
    }
  }
  await test('what is done after the tests', async () => {
    for (const work of atEnd) await work()
  })
  // Now the process ends by itself, and says with its exit code whether a test failed.
  process.off('disconnect', abandoned)
  process.disconnect()
}

async function load(file: string): Promise<Collection> {
  const before = loaded.get(file)
  if (before !== undefined) return before
  await import(pathToFileURL(root + file).href)
  const collection = collected()
  atEnd.push(...collection.after)
  loaded.set(file, collection)
  return collection
}

function abandoned(): never {
  process.exit(1)
}

function tell(told: Told): void {
  process.send?.(told)
}
