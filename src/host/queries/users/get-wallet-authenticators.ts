import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { walletAuthenticatorView } from '../../../trusted/charter/view.ts'
import { walletAuthenticatorShape } from './credential-shapes.ts'

export const getWalletAuthenticators = defineQuery({
  operation: 'get_wallet_authenticators',
  summary: 'List the wallets that a user may log in with',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({
    walletAuthenticators: list(walletAuthenticatorShape, { max: limits.walletAuthenticatorsPerUser }),
  }),
  answer: ({ userId }, { charter }) => ({
    walletAuthenticators: knownUser(charter, userId).walletAuthenticators.map(walletAuthenticatorView),
  }),
})
