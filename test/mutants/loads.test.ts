import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { ROOMS } from './rooms.ts'
import { runTests } from './run-tests.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const NONE = 'no test has this name'

for (const [room, { tests }] of Object.entries(ROOMS))
  test(`every test file of the room ${room} declares its tests as the script collects them`, async () => {
    const files = globSync([...tests], { cwd: root })
    const outcome = await runTests(
      { tests: files.map((file) => ({ file, name: NONE })) },
      { env: {}, deadlineMsOf: () => 120_000 },
    )
    assert.deepEqual(outcome, { kind: 'green' })
  })
