import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '../support/seeded.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { type Connection, type Entry, UnexpectedAnswer } from './ledger.ts'
import { loadUntilGone } from './load.ts'

test('a request with an unexpected answer is told of and leaves the ledger, and the load goes on until the service is gone', async () => {
  const random = seeded('load')
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes)
  const people = { organizationId: 'o', root: key, proposer: key, approver: key, privateKeyId: 'k' }
  const ledger: Entry[] = []
  const told: string[] = []
  let sent = 0
  const to: Connection = {
    close: () => {},
    post: async () => {
      sent += 1
      if (sent > 100) return undefined
      if (sent % 3 === 0) throw new UnexpectedAnswer(`400 at ${sent}`)
      return '{"activity":{"status":"ACTIVITY_STATUS_COMPLETED","fingerprint":""}}'
    },
  }
  await loadUntilGone(to, people, ledger, {
    random,
    isRunning: () => true,
    report: (answer) => void told.push(answer),
  })
  assert.equal(told.length, 33)
  assert.equal(ledger.length, sent - told.length)
  assert.equal(ledger.filter(({ answer }) => answer !== undefined).length, 100 - told.length)
})
