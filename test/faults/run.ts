// The long run:
//   npm run faults -- [faults, 200 unless told] [seed, the time unless told] [first life, 0 unless told]
//       [lives, all unless told]
import { inspect } from 'node:util'
import { countGiven, firstLifeGiven } from '../support/given.ts'
import { seeded } from '../support/seeded.ts'
import { faults } from './faults.ts'
import { liveThroughFaults } from './life.ts'

const FAULTS_PER_LIFE = 10
const BACK_MS_MAX = 10_000

const [count = '200', seed = String(Date.now()), first = '0', many = '1000'] = process.argv.slice(2)
const lives = Math.ceil(countGiven(count, 'faults') / FAULTS_PER_LIFE)
const from = firstLifeGiven(first, lives)
const last = Math.min(lives, from + countGiven(many, 'lives'))
const troubles: string[] = []
let tried = 0
let requests = 0
let longestMs = 0

console.log(
  `${lives} lives of ${FAULTS_PER_LIFE} faults; to resume: npm run faults -- ${count} ${seed} <life>`,
)
for (let life = from; life < last; life++) {
  try {
    const lived = await liveThroughFaults({
      names: namesOf(life),
      seed: `${seed} ${life}`,
      onFault: ({ fault, lastedMs, silentMs, wholeMs, answered }) => {
        tried += 1
        longestMs = Math.max(longestMs, silentMs)
        console.log(
          `${String(tried).padStart(4)}  ${fault} for ${seconds(lastedMs)}: silent for ${seconds(silentMs)} at most, all whole ${seconds(wholeMs)} later, ${answered} answered`,
        )
        if (silentMs > BACK_MS_MAX)
          tell(`life ${life}: ${fault}: nothing was acknowledged for ${seconds(silentMs)}`)
      },
    })
    requests += lived.requests
    for (const answer of lived.unexpected) tell(`life ${life}: an unexpected answer: ${answer}`)
    console.log(`life ${life}: ${lived.requests} requests audited`)
  } catch (error) {
    tell(`life ${life}: ${inspect(error, { depth: 5 })}`)
  }
}
const outcome =
  troubles.length === 0 ? 'none lost, none done twice' : `${troubles.length} troubles, told above`
console.log(
  `${tried} faults, ${requests} requests: ${outcome}; nothing acknowledged for ${seconds(longestMs)} at most`,
)
if (troubles.length > 0) process.exitCode = 1

/** Every fault comes once before any comes again. */
function namesOf(life: number): readonly string[] {
  const random = seeded(`${seed} order`)
  const names: string[] = []
  while (names.length < (life + 1) * FAULTS_PER_LIFE) {
    const left = faults.map(({ name }) => name)
    while (left.length > 0) names.push(...left.splice(random.below(left.length), 1))
  }
  return names.slice(life * FAULTS_PER_LIFE, (life + 1) * FAULTS_PER_LIFE)
}

function tell(trouble: string): void {
  troubles.push(trouble)
  console.error(trouble)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
