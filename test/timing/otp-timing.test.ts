import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { measured } from './measure.ts'
import { otpSubjects } from './otp-subjects.ts'
import { isToldApart, shownComparison } from './welch.ts'

const SAMPLES = 1_500
const LONGER = new Uint8Array(128 * 1024)

test('neither users nor codes can be found out by time', async (t) => {
  const { decided, executed, close } = await otpSubjects()
  t.after(close)
  for (const subject of [...executed, ...decided]) {
    const comparison = await measured(subject, SAMPLES)
    assert.ok(!isToldApart(comparison), `${subject.what}: ${shownComparison(comparison)}`)
  }
})

test('a difference of tens of microseconds is seen', async (t) => {
  const { executed, close } = await otpSubjects()
  t.after(close)
  for (const { what, run } of executed) {
    const leaking = {
      what,
      run: async (kind: 0 | 1, index: number) => {
        if (kind === 1) hash('sha256', LONGER)
        return await run(kind, index)
      },
    }
    const comparison = await measured(leaking, SAMPLES)
    assert.ok(isToldApart(comparison), `${what}: ${shownComparison(comparison)}`)
  }
})
