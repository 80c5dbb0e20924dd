import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuotaChange, QuotaOrder } from '../../quotas/quota-orders.ts'
import { signUpNotes } from './sign-up-notes.ts'

const none = { otpEmail: true, otpSms: false, oauth: false, passkey: true, wallet: false }
const open = {
  configId: 'shop',
  organizationId: 'org',
  allow: { ...none, signup: true },
  signUps: { perNetwork: 1_000 },
}

test('an operator who sets a quota is told that strangers may use it up', () => {
  const set = (change: QuotaChange, subject = 'org'): QuotaOrder => ({ do: 'set', subject, change })
  for (const change of [{ requests: 5 }, { cost: 5 }, { subOrganizations: 0 }])
    for (const subject of ['org', '*'])
      assert.match(
        signUpNotes([open], set(change, subject)).join(),
        /\(shop\) use up quotas of org: bound them/,
      )
  const closed = { ...open, allow: { ...none, signup: false } }
  const bounded = { ...open, signUps: { perNetwork: 1_000, perDay: 50 } }
  assert.deepEqual(signUpNotes([closed, bounded], set({ requests: 5 })), [])
  assert.deepEqual(signUpNotes([open], set({ requests: 5 }, 'another')), [])
  assert.deepEqual(signUpNotes([open], set({ requests: null, objects: 5 })), [])
  assert.deepEqual(signUpNotes([open], { do: 'list' }), [])
})
