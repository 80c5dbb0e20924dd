import { parseArgs } from 'node:util'
import { startClaviger } from '../../src/host/emulator/start-claviger.ts'
import { countGiven } from '../support/given.ts'
import { day, digestOf, others } from './scenario.ts'

/**
 * `npm run emulator -- --runs 10000`: so many runs of one seed, each in an emulator of its own, every other one while
 * others do other things. Says whether all are equal byte for byte, and how long starting, resetting and a run take.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000' } } })
const runs = countGiven(values.runs, '--runs')
const digests = new Map<string, number>()
const times = { start: [] as number[], run: [] as number[], reset: [] as number[] }

for (let run = 1; run <= runs; run++) {
  const startedAt = performance.now()
  await using c = await startClaviger({ seed: 7, fixtures: 'treasury' })
  const readyAt = performance.now()
  const digest = digestOf(await day(c, run % 2 === 0 ? others : async () => {}))
  const doneAt = performance.now()
  c.reset()
  times.start.push(readyAt - startedAt)
  times.run.push(doneAt - readyAt)
  times.reset.push(performance.now() - doneAt)
  digests.set(digest, (digests.get(digest) ?? 0) + 1)
  if (run % 100 === 0)
    console.log(`${run} runs, ${digests.size} kind${digests.size === 1 ? '' : 's'} of answers`)
}

for (const [name, all] of Object.entries(times)) {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (part: number): string =>
    `${(sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)} ms`
  console.log(`${name}: median ${at(0.5)}, 99th percentile ${at(0.99)}, longest ${at(1)}`)
}
for (const [digest, count] of digests) console.log(`${digest}: ${count}`)
process.exitCode = digests.size === 1 ? 0 : 1
