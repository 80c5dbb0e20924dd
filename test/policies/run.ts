import { lintAtRandom } from '../../src/trusted/activities/testing/lint-at-random.ts'
import { decideAtRandom } from '../../src/trusted/policy/testing/differential.ts'
import { countGiven } from '../support/given.ts'

/**
 * Decides random requests under random policies and compares with a second, slow evaluator: 100,000 of them, or as many
 * as the first argument says. Lints random policies as well, a set for every twenty requests, and holds each finding to
 * requests. The suite does the same with fewer.
 */
const requests = countGiven(process.argv[2] ?? '100000', 'requests')

run(`${requests} requests agree with their reference`, () => decideAtRandom(requests))
const sets = Math.ceil(requests / 20)
run(`the findings on ${sets} sets of policies hold`, () => lintAtRandom(sets))

function run(done: string, work: () => ReadonlyMap<string, number>): void {
  const started = performance.now()
  const seen = work()
  console.log(`${done}, in ${Math.round((performance.now() - started) / 1_000)} s`)
  for (const [what, times] of [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${what}: ${times}`)
}
