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

/** In UTC, such as `2026-11-23`; absent where no use was noted. */
const lastUsedOn = optional(text({ min: 10, max: 10 }))

const userUses = named(
  'UserUses',
  object({
    userId: uuid,
    /** With any credential, the key of a session among them. */
    lastUsedOn,
    apiKeys: list(object({ apiKeyId: uuid, lastUsedOn }), {
      max: limits.longLivedApiKeysPerUser + limits.expiringApiKeysPerUser,
    }),
    authenticators: list(object({ authenticatorId: uuid, lastUsedOn }), {
      max: limits.authenticatorsPerUser,
    }),
  }),
)

/** A day and no time, and nothing of where from: this is to find what nobody uses any more, and not to watch people. */
export const listLastUses = defineQuery({
  operation: 'list_last_uses',
  ours: true,
  summary: 'List the day on which each user and each lasting credential of an organization was used last',
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
