import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  list,
  named,
  object,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'

/** In UTC, such as `2026-11-23`; absent where no use was recorded. */
const lastUsedOn = optional(text({ min: 10, max: 10 }))

const userUses = named(
  'UserUses',
  object({
    userId: uuid,
    /** With any credential, including session keys. */
    lastUsedOn,
    apiKeys: list(object({ apiKeyId: uuid, lastUsedOn }), {
      max: limits.longLivedApiKeysPerUser + limits.expiringApiKeysPerUser,
    }),
    authenticators: list(object({ authenticatorId: uuid, lastUsedOn }), {
      max: limits.authenticatorsPerUser,
    }),
  }),
)

/** A day without the time or the place: the query is meant to find unused credentials, not to watch people. */
export const listLastUses = defineQuery({
  operation: 'list_last_uses',
  ours: true,
  summary: 'List the day of the last use of each user and each long-lived credential of an organization',
  request: object({ organizationId: organizationIdText, userId: optional(uuid) }),
  response: object({ users: list(userUses, { max: limits.users }) }),
  example: {},
  answer: async (asked, { charter, lastUses }) => {
    const days = await lastUses()
    const lastUse = (id: string): { readonly lastUsedOn?: string } => {
      const day = days.get(id)
      return day === undefined ? {} : { lastUsedOn: day }
    }
    return {
      users: charter.users
        .filter(({ userId }) => asked.userId === undefined || asked.userId === userId)
        .map(({ userId, apiKeys, authenticators }) => ({
          userId,
          ...lastUse(userId),
          apiKeys: apiKeys.map(({ apiKeyId }) => ({ apiKeyId, ...lastUse(apiKeyId) })),
          authenticators: authenticators.map(({ authenticatorId }) => ({
            authenticatorId,
            ...lastUse(authenticatorId),
          })),
        })),
    }
  },
})
