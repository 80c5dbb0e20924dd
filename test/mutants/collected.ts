import { registerHooks } from 'node:module'
import type { TestContext, TestOptions } from 'node:test'

type Work = (context: TestContext) => void | Promise<void>
type CollectedTest = { readonly name: string; readonly options: TestOptions; readonly work: Work }
export type Collection = {
  readonly tests: readonly CollectedTest[]
  readonly before: (() => unknown)[]
  readonly after: (() => unknown)[]
}

/**
 * From now on, test files that are loaded declare their tests here: they are not run at once, but kept, so that some of
 * them can be run, in an order of our own. Each call of what is returned gives what was declared since the last.
 */
export function collecting(): () => Collection {
  let suites: readonly Suite[] = []
  let declared = emptied()
  const test = (name: string, ...given: Declared<Work>) => {
    const [options, work] = optionsAnd(given)
    const full = [...suites.map((suite) => suite.name), name].join(' > ')
    declared.tests.push({
      name: full,
      options: Object.assign({}, ...suites.map((suite) => suite.options), options),
      work,
    })
  }
  const describe = (name: string, ...given: Declared<() => void>): void => {
    const [options, declare] = optionsAnd(given)
    suites = [...suites, { name, options }]
    declare()
    suites = suites.slice(0, -1)
  }
  const before = (work: () => unknown): void => void declared.before.push(work)
  // Done at the end of the process: other tests of the file may still be wanted.
  const after = (work: () => unknown): void => void declared.after.push(work)
  Object.assign(globalThis, { [STAND_IN]: { test, describe, before, after } })
  const url = `data:text/javascript,export const { test, describe, before, after } = globalThis['${STAND_IN}']`
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' ? { url, shortCircuit: true } : next(specifier, context),
  })
  return () => {
    const collection = declared
    declared = emptied()
    return collection
  }
}

type Suite = { readonly name: string; readonly options: TestOptions }
type Declared<T> = readonly [T] | readonly [TestOptions, T]

function optionsAnd<T extends Work | (() => void)>(given: Declared<T>): readonly [TestOptions, T] {
  return given.length === 1 ? [{}, given[0]] : given
}

const STAND_IN = 'what test files of a mutant import'

function emptied() {
  return { tests: [] as CollectedTest[], before: [] as (() => unknown)[], after: [] as (() => unknown)[] }
}
