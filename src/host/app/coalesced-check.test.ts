import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers, until } from '../outside/testing/timers.ts'
import { coalescedCheck } from './coalesced-check.ts'
import { partChecks, READY_MS_MAX, readiness } from './readiness.ts'

function aClock() {
  let time = 0
  const timers = turnedTimers(() => time)
  return {
    timers,
    pass: (ms: number) => {
      time += ms
      timers.turn()
    },
  }
}

/** Something to be tried, whose tries are answered by hand. */
function tried() {
  const tries: PromiseWithResolvers<void>[] = []
  const attempt = (): Promise<void> => {
    const next = Promise.withResolvers<void>()
    tries.push(next)
    return next.promise
  }
  return { tries, attempt }
}

test('however many want to know, it is tried once, and once more when the answer is no longer fresh', async () => {
  const { timers, pass } = aClock()
  const { tries, attempt } = tried()
  const check = coalescedCheck(attempt, { timers, deadlineMs: 1_500, freshMs: 500 })
  const asked = Array.from({ length: 1_000 }, check)
  assert.equal(tries.length, 1)
  tries[0]?.resolve()
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([true]))
  pass(499)
  assert.equal(await check(), true)
  assert.equal(tries.length, 1)
  pass(1)
  const again = check()
  assert.equal(tries.length, 2)
  tries[1]?.reject(new Error('no'))
  assert.equal(await again, false)
})

test('what takes longer than the deadline does not work, is not tried again meanwhile, and works once it has answered', async () => {
  const { timers, pass } = aClock()
  const { tries, attempt } = tried()
  const check = coalescedCheck(attempt, { timers, deadlineMs: 1_500, freshMs: 500 })
  const first = check()
  pass(1_500)
  assert.equal(await first, false)
  pass(60_000)
  assert.equal(await check(), false)
  assert.equal(tries.length, 1)
  tries[0]?.resolve()
  await until(check, 'the late answer counts')
})

test('readiness is answered within its bound, whatever hangs, and names the part', async () => {
  const { timers, pass } = aClock()
  const never = new Promise<never>(() => {})
  const works = async () => ''
  const asked = async (store: () => Promise<void>, vault: () => Promise<string>) => {
    const checks = partChecks({ store: { probe: store }, vault: { proveRoot: vault } }, timers)
    const answer = readiness(checks, { isDraining: false, isOut: () => false })
    await new Promise((resolve) => setImmediate(resolve))
    pass(READY_MS_MAX)
    const { kind, ...rest } = await answer
    return kind === 'ok' ? 'ready' : 'error' in rest ? rest.error : undefined
  }
  const notReady = (message: string) => ({ code: 14, message: `not ready: ${message}`, details: [] })
  assert.equal(await asked(async () => {}, works), 'ready')
  assert.deepEqual(await asked(() => never, works), notReady('the store does not accept writes'))
  assert.deepEqual(
    await asked(
      async () => {},
      () => never,
    ),
    notReady('the vault does not answer'),
  )
  const noDisk = () => Promise.reject(new Error('/secret/path: no space left'))
  assert.deepEqual(
    await asked(noDisk, () => never),
    notReady('the store does not accept writes, and the vault does not answer'),
  )
})
