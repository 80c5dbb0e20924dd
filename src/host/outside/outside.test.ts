import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../trusted/catalogue/question.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { openOutbound } from './outbound.ts'
import { turnedTimers } from './testing/timers.ts'
import { ANSWER_MS_MAX, outsideOf } from './outside.ts'

const question: Question = { about: 'issuerKeys', issuer: 'https://issuer.example' }

function aClock() {
  let now = 0
  const timers = turnedTimers(() => now)
  return {
    timers,
    pass: (ms: number) => {
      now += ms
      timers.turn()
    },
  }
}

/** An issuer that answers when the test says so. */
function anIssuer(): {
  readonly issuerKeys: IssuerKeys
  readonly asked: () => number
  readonly answer: () => void
} {
  const answers: ((text: string) => void)[] = []
  return {
    issuerKeys: { get: () => new Promise((resolve) => answers.push(resolve)) },
    asked: () => answers.length,
    answer: () => answers.forEach((give) => give('{"keys":[]}')),
  }
}

test('what is not answered by the deadline has failed, and says so', async () => {
  const clock = aClock()
  const outbound = openOutbound({ allowPrivate: false })
  const outside = outsideOf({ outbound, issuerKeys: anIssuer().issuerKeys, timers: clock.timers })
  const answers = [outside(question, 'org'), outside({ ...question, issuer: 'https://other.example' }, 'org')]

  clock.pass(ANSWER_MS_MAX)

  const failed = { kind: 'failed', why: 'there was no answer within 10 seconds' }
  assert.deepEqual(await Promise.all(answers), [failed, failed])
})

test('the same question asked twice at once goes out once, and later again', async () => {
  const issuer = anIssuer()
  const outbound = openOutbound({ allowPrivate: false })
  const outside = outsideOf({ outbound, issuerKeys: issuer.issuerKeys, timers: aClock().timers })
  const twins = [outside(question, 'org'), outside({ ...question }, 'org')]
  assert.equal(issuer.asked(), 1)
  issuer.answer()
  const answered = { kind: 'answered', text: '{"keys":[]}' }
  assert.deepEqual(await Promise.all(twins), [answered, answered])

  void outside(question, 'org')

  assert.equal(issuer.asked(), 2)
})
