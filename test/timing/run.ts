// Whether users or codes can be found out by time: npm run timing [samples of each kind, 20000 unless told]
import { hash } from 'node:crypto'
import { countGiven } from '../support/given.ts'
import { measured, type Subject } from './measure.ts'
import { otpSubjects } from './otp-subjects.ts'
import { isToldApart, shownComparison } from './welch.ts'

const LONGER = new Uint8Array(128 * 1024)

const samples = countGiven(process.argv[2] ?? '20000', 'samples', 2)
let wrong = 0
const { decisions, executed, close } = await otpSubjects()
for (const subject of [...executed, ...decisions]) await expect(subject, false)
// A measurement that cannot see a difference of tens of microseconds would say nothing.
for (const subject of executed) await expect(leaking(subject), true)
await close()
console.log(wrong === 0 ? 'all as it should be' : `${wrong} of these not as it should be, told above`)
if (wrong > 0) process.exitCode = 1

async function expect(subject: Subject, isLeak: boolean): Promise<void> {
  const comparison = await measured(subject, samples)
  const verdict = isToldApart(comparison) ? 'told apart' : 'not told apart'
  const isWrong = isToldApart(comparison) !== isLeak
  if (isWrong) wrong += 1
  console.log(`${subject.what}: ${verdict}${isWrong ? ', WRONG' : ''}\n  ${shownComparison(comparison)}`)
}

function leaking({ what, run }: Subject): Subject {
  return {
    what: `${what}, and a hash of 128 KiB in one of them`,
    run: async (kind, index) => {
      if (kind === 1) hash('sha256', LONGER)
      return await run(kind, index)
    },
  }
}
