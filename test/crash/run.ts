// The long run: npm run crash [kills, 10000 unless told] [seed, the time unless told] [first life, 0 unless told]
import { inspect } from 'node:util'
import { countGiven, firstLifeGiven } from '../support/given.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { liveThrough } from './life.ts'

const KILLS_PER_LIFE = 50
/** One life in five is on PostgreSQL, where that is installed. */
const POSTGRES_EVERY = 5
/** Every other life is counted under quotas. */
const COUNTED_EVERY = 2

const [kills = '10000', seed = String(Date.now()), first = '0'] = process.argv.slice(2)
const lives = Math.ceil(countGiven(kills, 'kills') / KILLS_PER_LIFE)
let next = firstLifeGiven(first, lives)
let killed = 0
let requests = 0
let slowestStartMs = 0
const troubles: string[] = []

console.log(`${lives} lives of ${KILLS_PER_LIFE} kills; to resume: npm run crash ${kills} ${seed} <life>`)
await Promise.all([lane(), lane()])
const outcome =
  troubles.length === 0 ? 'none lost, none done twice' : `${troubles.length} troubles, told above`
console.log(
  `${killed} kills, ${requests} requests: ${outcome}; slowest start ${Math.round(slowestStartMs)} ms`,
)
if (troubles.length > 0) process.exitCode = 1

async function lane(): Promise<void> {
  for (let life = next++; life < lives; life = next++) {
    const isOnPostgres = life % POSTGRES_EVERY === POSTGRES_EVERY - 1 && postgresAvailable()
    try {
      const lived = await liveThrough({
        kills: KILLS_PER_LIFE,
        seed: `${seed} ${life}`,
        isCounted: life % COUNTED_EVERY === 0,
        ...(isOnPostgres ? { databaseUrl: await freshDatabase() } : {}),
      })
      killed += lived.kills
      requests += lived.requests
      slowestStartMs = Math.max(slowestStartMs, lived.slowestStartMs)
      for (const answer of lived.unexpected) tell(`life ${life}: an unexpected answer: ${answer}`)
      console.log(
        `life ${life} (${isOnPostgres ? 'postgres' : 'embedded'}): ${lived.requests} requests; ${killed} kills so far`,
      )
    } catch (error) {
      // The others are worth living through all the same.
      tell(`life ${life}: ${inspect(error)}`)
    }
  }
}

function tell(trouble: string): void {
  troubles.push(trouble)
  console.error(trouble)
}
