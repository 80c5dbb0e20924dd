import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { type Life, liveThrough, PLACES } from './life.ts'
import { startProcess } from './service-process.ts'

const LIVES = 3
// Twice around all the places where a service is killed.
const KILLS = 2 * PLACES

// Each life is one folder of data. Three go beside each other, because a start does not use a core wholly.
describe('a service that is killed', { concurrency: true }, () => {
  test('whatever instant a service on the embedded store is killed at, nothing acknowledged is lost and nothing is done twice', async () => {
    const run = `${Date.now()}`
    const lane = async (lives: readonly number[]): Promise<void> => {
      for (const life of lives) assertExpected(await liveThrough({ kills: KILLS, seed: `${run} ${life}` }))
    }
    const lives = Array.from({ length: LIVES }, (_, life) => life)
    await Promise.all([
      lane(lives.filter((life) => life % 2 === 0)),
      lane(lives.filter((life) => life % 2 === 1)),
    ])
  })

  test('the same holds on PostgreSQL', { skip: postgresAvailable() ? false : postgresMissing }, async () => {
    const databaseUrl = await freshDatabase()
    assertExpected(await liveThrough({ kills: KILLS, seed: `${Date.now()} postgres`, databaseUrl }))
  })

  test('what an organization has used of its quotas is exact after all kills, on either store', async () => {
    const counted = { kills: PLACES, isCounted: true }
    assertExpected(await liveThrough({ ...counted, seed: `${Date.now()} quotas` }))
    if (!postgresAvailable()) return
    const databaseUrl = await freshDatabase()
    assertExpected(await liveThrough({ ...counted, seed: `${Date.now()} quotas postgres`, databaseUrl }))
  })
})

test('a host whose vault was killed ends with exit code 1, a vault whose host was killed ends too, and a start mends either', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'claviger-crash-'))
  try {
    const first = await startProcess({ kind: 'bin', command: 'dev' }, { dataFolder })
    process.kill(first.vaultPid, 'SIGKILL')
    assert.equal(await first.ended, 1)
    // `serve` refuses a folder in which the key of its root user lies.
    rmSync(join(dataFolder, 'dev.env'))

    const second = await startProcess({ kind: 'command', command: 'serve' }, { dataFolder })
    process.kill(second.pid, 'SIGKILL')
    // Standard output closes with the last process that holds it: with the vault's.
    assert.equal(await second.ended, null)

    const third = await startProcess({ kind: 'bin', command: 'serve' }, { dataFolder })
    assert.equal((await fetch(`${third.url}/healthz`)).status, 200)
    process.kill(third.pid, 'SIGTERM')
    assert.equal(await third.ended, 0)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

function assertExpected({ unexpected }: Life): void {
  assert.deepEqual(unexpected, [])
}
