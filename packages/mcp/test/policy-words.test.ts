import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consensusInWords } from '../src/policy-words.ts'

const ME = '0198c5a0-7d3c-7000-8000-000000000002'
const BY_ID = 'you count by your id'
const OTHERWISE = 'users count by tag or in another way'
const TWO = '; 2 users have to approve, the one who asks among them'

test('a user is said to count by their id only where the consensus counts it in any case', () => {
  const one = `approvers.any(u, u.id == '${ME}')`
  for (const [consensus, says] of [
    [one, BY_ID],
    [`approvers.any(someone, someone.id in ['A', '${ME}'])`, BY_ID],
    [`${one} && approvers.filter(u, u.tags.contains('T')).count() >= 2`, BY_ID],
    [`approvers.any(u, u.id != '${ME}')`, OTHERWISE],
    [`!${one}`, OTHERWISE],
    [`!approvers.any(u, u.id in ['${ME}'])`, OTHERWISE],
    [`approvers.all(u, u.id != '${ME}')`, OTHERWISE],
    [`${one} || approvers.count() >= 2`, OTHERWISE],
    [`approvers.any(u, u.tags.contains('${ME}'))`, OTHERWISE],
  ] as const)
    assert.equal(consensusInWords({ effect: 'EFFECT_ALLOW', consensus }, ME).says, says, consensus)
})

test('a number of users is said to be needed only where it is in any case', () => {
  const two = 'approvers.count() >= 2'
  for (const [consensus, says] of [
    [two, `${OTHERWISE}${TWO}`],
    [`${two} && approvers.any(u, u.id == '${ME}')`, `${BY_ID}${TWO}`],
    [`!(${two})`, OTHERWISE],
    [`!${two}`, OTHERWISE],
    [`${two} || approvers.any(u, u.id == '${ME}')`, OTHERWISE],
  ] as const)
    assert.equal(consensusInWords({ effect: 'EFFECT_ALLOW', consensus }, ME).says, says, consensus)
})

test('the consensus of a DENY policy is not told as one that allows', () => {
  for (const [consensus, says] of [
    ['', 'regardless of who asks or approves'],
    [`approvers.any(u, u.id == '${ME}')`, 'only where you ask or approve'],
    [`approvers.any(u, u.id != '${ME}')`, 'only where the expression is true of those who ask and approve'],
    [
      `approvers.count() >= 2 && approvers.any(u, u.id == '${ME}')`,
      'only where you ask or approve; only from 2 users on, the one who asks among them',
    ],
  ] as const)
    assert.equal(consensusInWords({ effect: 'EFFECT_DENY', consensus }, ME).says, says, consensus)
})
