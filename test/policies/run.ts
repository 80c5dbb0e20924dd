import { decideAtRandom } from '../../src/trusted/policy/testing/differential.ts'

/**
 * Decides random requests under random policies and compares with a second, slow evaluator: 100,000 of them, or as many
 * as the first argument says. The suite does the same with fewer.
 */
const requests = Number(process.argv[2] ?? 100_000)
const started = performance.now()
const seen = decideAtRandom(requests)
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(`${requests} requests agree with their reference, in ${seconds} s`)
for (const [what, times] of [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`  ${what}: ${times}`)
