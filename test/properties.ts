import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { countGiven } from './support/given.ts'
import { testFiles } from './support/test-files.ts'

/**
 * Every test file with a property in it, and the simulation, with fresh seeds: ten rounds, or as many as the first
 * argument says. The suite itself runs them with one seed that stays. Stops at the first round in which something
 * fails.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const rounds = countGiven(process.argv[2] ?? '10', 'rounds')
const files = testFiles(root).filter((file) =>
  /fast-check|test-seed/.test(readFileSync(`${root}${file}`, 'utf8')),
)
for (let round = 1; round <= rounds; round++) {
  const seed = String(Date.now() % 2 ** 31)
  console.log(`round ${round}: CLAVIGER_TEST_SEED=${seed}`)
  const env = { ...process.env, CLAVIGER_TEST_SEED: seed }
  const { status } = spawnSync(process.execPath, ['test/run.ts', ...files], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}
