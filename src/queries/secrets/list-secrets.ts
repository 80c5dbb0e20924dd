import { secrets } from '../../activities/secrets/secret.ts'
import { defineQuery } from '../../catalogue/query.ts'
import { list, object, optional, text, uuid } from '../../catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'

const property = object({ key: text({ max: 255 }), value: text({ max: 255 }) })

/** Newest first. */
export const listSecrets = defineQuery({
  operation: 'list_secrets',
  summary: 'List secrets, without the secrets themselves',
  request: object({ organizationId: text({ max: 64 }), paginationOptions: optional(paginationShape) }),
  response: object({
    secrets: list(
      object({
        secretId: uuid,
        name: optional(text({ max: 255 })),
        staticProperties: list(property, { max: 20 }),
        createdAtUnixMs: text({ max: 20 }),
      }),
      { max: 100 },
    ),
  }),
  answer: async ({ paginationOptions }, { objects }) => {
    const all = await objects(secrets)
    const page = pageOf(paginationOptions)
    return {
      secrets: onPage(
        all.map(({ createdAt, ...rest }) => ({ ...rest, createdAtUnixMs: String(createdAt) })),
        page,
      ),
    }
  },
})

/** Identifiers begin with their time. */
function onPage<T extends { readonly secretId: string }>(
  all: readonly T[],
  { limit, before, after }: ReturnType<typeof pageOf>,
): readonly T[] {
  const within = all
    .filter(
      ({ secretId }) =>
        (after === undefined || secretId < after) && (before === undefined || secretId > before),
    )
    .toSorted((a, b) => (a.secretId < b.secretId ? 1 : -1))
  return before === undefined || after !== undefined ? within.slice(0, limit) : within.slice(-limit)
}
