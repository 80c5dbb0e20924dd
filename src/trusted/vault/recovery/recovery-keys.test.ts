import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../activities/list.ts'
import { checkRecoveryKey } from './recovery-keys.ts'

const user = { userId: 'ada' }
const recovery = { user, credential: { type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256' } }

test('of all activities a recovery key is good for one, and for no query', () => {
  const possible = activities.filter((activity) => {
    try {
      checkRecoveryKey(recovery, { activity, intent: { userId: 'ada' } })
      return true
    } catch {
      return false
    }
  })
  assert.deepEqual(
    possible.map(({ operation }) => operation),
    ['recover_user'],
  )
  assert.throws(() => checkRecoveryKey(recovery, undefined), { kind: 'recoveryKeyOnlyRecovers' })
})

test('a recovery key recovers nobody but its own user', () => {
  for (const activity of activities)
    assert.throws(() => checkRecoveryKey(recovery, { activity, intent: { userId: 'grace' } }), {
      kind: 'recoveryKeyOnlyRecovers',
    })
})

test('no other credential is held up', () => {
  for (const type of ['CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256', 'CREDENTIAL_TYPE_LOGIN', '']) {
    const identity = { user, credential: { type } }
    checkRecoveryKey(identity, undefined)
    for (const activity of activities) checkRecoveryKey(identity, { activity, intent: {} })
  }
})
