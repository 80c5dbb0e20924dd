import { measured } from './measure.ts'
import { otpSubjects } from './otp-subjects.ts'
import { isToldApart, shownComparison } from './welch.ts'

/** `node bin/with-node.js test/timing/otp-timing.ts [samples]`: the whole measurement, 20,000 samples of each kind. */
const samples = Number(process.argv[2] ?? 20_000)
const { decided, executed, close } = await otpSubjects()
for (const subject of [...executed, ...decided]) {
  const comparison = await measured(subject, samples)
  const verdict = isToldApart(comparison) ? 'told apart' : 'not told apart'
  console.log(`${subject.what}: ${verdict}\n  ${shownComparison(comparison)}`)
  if (isToldApart(comparison)) process.exitCode = 1
}
await close()
