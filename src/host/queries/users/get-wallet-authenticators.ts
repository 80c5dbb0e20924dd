import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { walletAuthenticatorView } from '../../../trusted/charter/view.ts'
import { walletAuthenticatorShape } from './credential-shapes.ts'

export const getWalletAuthenticators = defineQuery({
  operation: 'get_wallet_authenticators',
  summary: 'List the external wallets with which a user can log in',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({
    walletAuthenticators: list(walletAuthenticatorShape, { max: limits.walletAuthenticatorsPerUser }),
  }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => ({
    walletAuthenticators: knownUser(charter, userId).walletAuthenticators.map(walletAuthenticatorView),
  }),
})
