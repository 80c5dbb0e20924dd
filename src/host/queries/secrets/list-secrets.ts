import { EVERY_SECRET, secrets } from '../../../trusted/objects/secret.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'

const property = object({ key: text({ max: 255 }), value: text({ max: 255 }) })

export const listedSecrets = object({
  secrets: list(
    object({
      secretId: uuid,
      name: optional(text({ max: 255 })),
      staticProperties: list(property, { max: 20 }),
      createdAtUnixMs: text({ max: 20 }),
    }),
    { max: 100 },
  ),
})

/** In the order of their import: ids begin with their time. */
export const listSecrets = defineQuery({
  operation: 'list_secrets',
  summary: 'List secrets, without their contents, oldest first',
  request: object({ organizationId: organizationIdText, paginationOptions: optional(paginationShape) }),
  response: listedSecrets,
  example: { paginationOptions: { limit: '10' } },
  answer: async ({ paginationOptions }, { found }) => {
    const page = await found(secrets, [EVERY_SECRET], pageOf(paginationOptions))
    return {
      secrets: page.map(({ createdAt, ...rest }) => ({ ...rest, createdAtUnixMs: String(createdAt) })),
    }
  },
})
