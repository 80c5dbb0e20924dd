import { readFileSync } from 'node:fs'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { invalidFixtures } from './failures.ts'
import type { Fixtures } from './fixtures.ts'
import { treasury } from './treasury.ts'

const known: ReadonlyMap<string, Fixtures> = new Map([['treasury', treasury]])

/**
 * Fixtures by name, or from a file, which is recognised by its ending: `treasury`, `./mine.json`.
 *
 * @throws Failure `invalidFixtures`
 */
export function namedFixtures(name: string): Fixtures {
  if (name.endsWith('.json')) return fixturesIn(name)
  const fixtures = known.get(name)
  if (fixtures !== undefined) return fixtures
  const names = [...known.keys()].join(', ')
  throw invalidFixtures({
    why: `there are none called ${JSON.stringify(name.slice(0, 80))}; there is ${names}, or a file whose name ends with .json`,
  })
}

function fixturesIn(path: string): Fixtures {
  try {
    // `makeFixtures` checks every part of the content.
    return JSON.parse(readFileSync(path, 'utf8')) as Fixtures
  } catch (error) {
    const why = fileTrouble(error) ?? (error instanceof Error ? error.message : String(error))
    throw invalidFixtures({ why: `${path}: ${why}` })
  }
}
