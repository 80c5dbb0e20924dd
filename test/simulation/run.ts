// Many seeds:
//   node bin/with-node.js test/simulation/run.ts [how many, 1000 unless told] [the first seed, the time unless told]
//       [steps]
import { simulate } from './simulate.ts'

const [many = '1000', first = String(Date.now()), steps = '40'] = process.argv.slice(2)
let requests = 0

for (let at = 0; at < Number(many); at++) {
  const seed = Number(many) === 1 ? first : `${first} ${at}`
  const run = await simulate(seed, { steps: Number(steps) })
  requests += Object.values(run.counts).reduce((sum, times) => sum + times, 0)
  if (run.wrong.length > 0) {
    console.log(`seed ${seed}:`)
    for (const item of new Set(run.wrong)) console.log(`  ${item}`)
    process.exitCode = 1
    break
  }
  if (at % 50 === 49) console.log(`${at + 1} seeds, ${requests} requests`)
}
if (process.exitCode === undefined) console.log(`${many} seeds, ${requests} requests: every promise was kept`)
