import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { notOurs } from '../support/test-files.ts'
import { root } from './sources.ts'

/**
 * Where tests may look at the clock of the machine or wait for it, and why no test is red there because the machine is
 * busy.
 */
const MAY: Readonly<Record<string, string>> = {
  'src/host/delivery/mailer.test.ts': 'a server that writes again and again',
  'src/host/outside/outbound.test.ts': 'a server that writes again and again',
  'src/host/link/seal-process.test.ts': 'its timers are mocked',
  'src/host/store/postgres/server-watch.test.ts': 'its timers are mocked',
  'src/seals/shamir/shamir.test.ts': 'lets a timer end itself, and waits for none',
  'src/host/outside/testing/timers.ts': 'gives up on what hangs, after minutes',
  'test/console/open-for-days.test.ts': 'its timers are of a clock of the test',
  'test/support/eventually.ts': 'gives up on what hangs, after minutes',
  'test/support/running-service.ts': 'gives up on what hangs, after minutes',
  'test/crash/life.ts': 'kills at an instant that nobody chose',
  'test/crash/ledger.ts': 'gives up on a host that hangs, and sends the same to another',
  'test/faults/cluster.ts': 'asks again what does not answer',
  'test/faults/failover-client.ts': 'is a client that pauses between requests',
  'test/faults/life.ts': 'breaks things for a while; how long nothing was acknowledged is printed by hand',
  'test/faults/link.ts': 'is a slow way',
  'test/faults/supervised-host.ts': 'starts again what has ended, after a pause',
  'test/crash/service-process.ts':
    'gives up on what hangs, after minutes; how long a start took is printed by hand',
  'test/policies/run.ts': 'is run by hand, and prints how long it took',
  'test/mutants/one-by-one.ts': 'is run by hand',
  'test/mutants/run-tests.ts': 'is run by hand',
  'test/emulator/run.ts': 'is run by hand: `npm run emulator`',
  'test/tampering/hostile-process.test.ts':
    'looks until another process rests; looked at too early it has used less, not more',
  'test/stranger/run.ts': 'is run by hand: `npm run stranger`',
  'test/timing/measure.ts': 'is run by hand: `npm run timing`',
  'test/frames/embedding-page.ts': 'gives up on a frame that hangs',
  'test/languages/ran.ts': 'gives up on what hangs, after minutes',
  'test/house/outside.test.ts': 'names what it forbids',
  'test/house/wall-clock.test.ts': 'names what it forbids',
  'test/upgrade/balancer.ts': 'is a client that pauses between requests',
  'test/run.ts': 'prints how long each file took',
  'test/storage/run.ts': 'is run by hand: `npm run storage`',
  'packages/s3/test/s3.test.ts': 'a server that writes again and again',
}

/** Durations and deadlines. The time of day, as a request carries it, is none: `String(Date.now())`. */
const LOOKS: readonly RegExp[] = [
  /\bperformance\.now\b|\bprocess\.hrtime\b/,
  /\bset(?:Timeout|Interval)\b|\btimers\/promises\b/,
  /\bAbortSignal\.timeout\b/,
  // A deadline of one test.
  /\btest\(.*\{ timeout: /,
  /Date\.now\(\)\s*[<>]|[<>]=?\s*Date\.now\(\)(?! \/ 1000)|Date\.now\(\)\s*-\s*\w*(?:[sS]tart|[bB]egan|before)/,
]

function looksAt(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && LOOKS.some((look) => look.test(line)))
}

test('no test says how long anything takes on this machine', () => {
  const patterns = ['src/**/*.test.ts', 'src/**/testing/*.ts', 'test/**/*.ts', 'packages/*/test/**/*.ts']
  const files = globSync(patterns, { cwd: root, exclude: notOurs })
  const found = files
    .filter((path) => !(path in MAY))
    .flatMap((path) =>
      looksAt(readFileSync(new URL(path, root), 'utf8')).map((line) => `${path}: ${line.trim()}`),
    )
  assert.deepEqual(found, [])
  const idle = Object.keys(MAY).filter(
    (path) => looksAt(readFileSync(new URL(path, root), 'utf8')).length === 0,
  )
  assert.deepEqual(idle, [], 'what needs no leave has none')
})

test('a test that looks at the clock of the machine is seen', () => {
  for (const line of [
    'assert.ok(performance.now() - startedAt < 50)',
    'await new Promise((resolve) => setTimeout(resolve, 100))',
    "import { setTimeout } from 'node:timers/promises'",
    "test('it is quick', { timeout: 5_000 }, async () => {})",
    'if (Date.now() > deadline) throw new Error()',
    'assert.ok(Date.now() - startedAt < 1_000)',
    'const signal = AbortSignal.timeout(1_000)',
  ])
    assert.equal(looksAt(line).length, 1, line)
  assert.deepEqual(looksAt('const timestampMs = String(Date.now())'), [])
})
