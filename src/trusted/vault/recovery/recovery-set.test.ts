import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECOVERY_SET_KEY } from '../../charter/credential-types.ts'
import { isRecoverySet } from './recovery-set.ts'

test('an approval is that of a recovery set if its key is among the credentials, and none without credentials is', () => {
  const user = { id: 'u', tags: [], email: '', alias: '' }
  const by = (...types: readonly string[]): boolean =>
    isRecoverySet({
      user,
      credentials: types.map((type) => ({ id: type, type, userId: 'u', credentialId: '', publicKey: '' })),
    })
  assert.equal(by(RECOVERY_SET_KEY), true)
  assert.equal(by('CREDENTIAL_TYPE_LOGIN', RECOVERY_SET_KEY), true)
  assert.equal(by('CREDENTIAL_TYPE_LOGIN'), false)
  assert.equal(by(), false)
})
