import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import type { User } from './charter.ts'
import { holderOfContact, type ProvenContact, withProvenContact } from './holders.ts'

const [filled] = filledCharter.users
const [{ proven: _, ...wallet }] = filled.walletAuthenticators
const other = { ...wallet, walletAuthenticatorId: 'another', domain: 'another.example' }
const ada: User = {
  ...filled,
  emailVerified: false,
  phoneNumberVerified: false,
  walletAuthenticators: [other, wallet],
}
const ben: User = {
  ...ada,
  userId: 'ben',
  userEmail: 'ben@example.com',
  userPhoneNumber: '+15550199',
  walletAuthenticators: [],
}

const byMail: ProvenContact = { verificationType: 'OTP_TYPE_EMAIL', contact: 'Ada@Example.com' }
const bySms: ProvenContact = { verificationType: 'OTP_TYPE_SMS', contact: filled.userPhoneNumber }
const byWallet: ProvenContact = {
  verificationType: wallet.type,
  contact: wallet.address,
  wallet: { domain: wallet.domain },
}

test('what was proven is marked, in its user and nowhere else', () => {
  assert.deepEqual(withProvenContact(ada, byMail), { ...ada, emailVerified: true })
  assert.deepEqual(withProvenContact(ada, bySms), { ...ada, phoneNumberVerified: true })
  assert.deepEqual(withProvenContact(ada, byWallet), {
    ...ada,
    walletAuthenticators: [other, { ...wallet, proven: true }],
  })
  for (const proven of [byMail, bySms, byWallet]) assert.deepEqual(withProvenContact(ben, proven), ben)
})

test('the holder of a contact or wallet is the one user who has it', () => {
  for (const proven of [byMail, bySms, byWallet]) {
    assert.equal(holderOfContact([ben, ada], proven), ada)
    assert.equal(holderOfContact([ben], proven), undefined)
    assert.equal(holderOfContact([ada, { ...ada, userId: 'another' }], proven), undefined)
  }
  // The text of one kind says nothing of another.
  for (const proven of [
    { ...byMail, verificationType: 'OTP_TYPE_SMS' },
    { ...bySms, verificationType: 'OTP_TYPE_EMAIL' },
    { ...byMail, wallet: { domain: wallet.domain } },
    { ...byWallet, verificationType: 'WALLET_AUTHENTICATOR_TYPE_SOLANA' },
    { ...byWallet, contact: 'another address' },
    { ...byWallet, wallet: { domain: 'a third.example' } },
  ])
    assert.equal(holderOfContact([ben, ada], proven), undefined)
})
