import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pausedBy, pausePolicy } from './located.ts'
import type { StoredPolicy } from './organization.ts'

const AGENT = '0198c5a0-7d3c-7000-8000-00000000000a'
const at = { seconds: '1700000000', nanos: '0' }

test('an agent is paused by exactly the policy that denies all that it does, at any time', () => {
  const pause: StoredPolicy = {
    ...pausePolicy('shopper', AGENT),
    effect: 'EFFECT_DENY',
    policyId: '0198c5a0-7d3c-7000-8000-000000000001',
    condition: '',
    createdAt: at,
    updatedAt: at,
  }
  const isPausedBy = (changes: Partial<StoredPolicy>, userId: string | undefined = AGENT): boolean =>
    pausedBy({ name: 'shopper', userId, policies: [{ ...pause, ...changes }] }) !== undefined
  assert.equal(isPausedBy({}), true)
  assert.equal(isPausedBy({ time: '' }), true)
  const wrong: Readonly<Record<string, Partial<StoredPolicy>>> = {
    'of another name': { policyName: 'agent shopper: nothing else' },
    'that allows': { effect: 'EFFECT_ALLOW' },
    'about nobody': { consensus: '' },
    'about some activities': { condition: "activity.action == 'NOTHING'" },
    'at some hours': { time: "CronSpan('0 8 * * 1-5', '10h', 'UTC')" },
  }
  for (const [what, changes] of Object.entries(wrong)) assert.equal(isPausedBy(changes), false, what)
  assert.equal(isPausedBy({}, '0198c5a0-7d3c-7000-8000-00000000000b'), false, 'about another user')
})
