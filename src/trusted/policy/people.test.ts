import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Approval, togetherOf } from './people.ts'

test('the approvals of a user are one with the credentials of all of them, and of nobody else', () => {
  const [ada, bob] = [approved('ada', 'first'), approved('bob', 'second')]
  const later = approved('ada', 'third')
  const together = togetherOf([ada, bob, later], ada.user)
  assert.equal(together.user, ada.user)
  assert.deepEqual(
    together.credentials.map(({ id }) => id),
    ['first', 'third'],
  )
})

function approved(userId: string, credentialId: string): Approval {
  const credential = {
    id: credentialId,
    userId,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    credentialId: '',
    publicKey: '02',
  }
  return { user: { id: userId, tags: [], email: '', alias: '' }, credentials: [credential] }
}
