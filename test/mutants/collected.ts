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
  let suites: readonly string[] = []
  let declared = emptied()
  const test = (name: string, ...[options, work]: readonly [Work] | readonly [TestOptions, Work]) => {
    const full = [...suites, name].join(' > ')
    if (typeof options === 'function') declared.tests.push({ name: full, options: {}, work: options })
    else if (work !== undefined) declared.tests.push({ name: full, options, work })
  }
  const describe = (name: string, declare: () => void): void => {
    suites = [...suites, name]
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

const STAND_IN = 'what test files of a mutant import'

function emptied() {
  return { tests: [] as CollectedTest[], before: [] as (() => unknown)[], after: [] as (() => unknown)[] }
}
