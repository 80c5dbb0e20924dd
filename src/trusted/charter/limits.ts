import { defineFailure, RESOURCE_EXHAUSTED } from '../base/failure.ts'

/**
 * The numbers of things that one organization may have. The bounds on its charter keep it small enough to be read and
 * sealed whole.
 */
export const limits = {
  users: 100,
  policies: 100,
  invitations: 100,
  tags: 100,
  tagsOfSubOrganization: 10,
  authenticatorsPerUser: 10,
  longLivedApiKeysPerUser: 10,
  expiringApiKeysPerUser: 10,
  oauthProvidersPerUser: 10,
  walletAuthenticatorsPerUser: 10,
  mfaPoliciesPerUser: 10,
  sessionProfiles: 100,
  oauth2Credentials: 100,
  webhookEndpoints: 100,
  ipAllowlists: 100,
  wallets: 100,
  contractInterfaces: 100,
  velocityControls: 100,
} as const

export const tooMany = defineFailure<{ readonly what: string; readonly max: number }>({
  kind: 'tooMany',
  code: RESOURCE_EXHAUSTED,
  say: ({ what, max }) => `organization has exceeded maximum ${what}: there may be ${max}`,
})

export const tooManyOfUser = defineFailure<{ readonly what: string; readonly max: number }>({
  kind: 'tooManyOfUser',
  code: RESOURCE_EXHAUSTED,
  say: ({ what, max }) => `user has exceeded maximum ${what}: there may be ${max}`,
})
