import { isUuid } from '../../../trusted/base/ids.ts'
import { defineQuery, type SubOrganizationCursor } from '../../../trusted/catalogue/query.ts'
import {
  int32,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { lookupValue } from '../../../trusted/charter/directory.ts'
import { type Charter, userOf } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { cursorText, limitOf, limitText, readCursor, writeCursor } from '../page.ts'
import { times } from '../shapes.ts'

const rootUser = object({ userId: uuid, userName: label, userEmail: optional(text({ max: 254 })) })

const subOrganization = named(
  'SubOrganizationSummary',
  object({
    organizationId: uuid,
    organizationName: label,
    rootUsers: list(rootUser, { max: limits.users }),
    userCount: int32,
    ...times,
  }),
)

const kinds = { NAME: 'FOLDED_NAME', EMAIL: 'EMAIL' } as const

/** With a prefix in order of the name or the address, without one the newest first. The answer has no total count. */
export const searchSuborgs = defineQuery({
  operation: 'search_suborgs',
  ours: true,
  summary:
    'List sub-organizations with their names and root users, optionally only those where a name or an e-mail address has a given prefix',
  request: object({
    organizationId: organizationIdText,
    searchBy: optional(oneOf(['NAME', 'EMAIL'])),
    prefix: optional(text({ max: 255 })),
    limit: optional(limitText),
    after: optional(cursorText),
  }),
  response: object({
    subOrganizations: list(subOrganization, { max: 100 }),
    next: optional(cursorText),
  }),
  example: { searchBy: 'NAME', prefix: 'customer 47', limit: '10' },
  long: 'charters',
  answer: async ({ searchBy = 'NAME', prefix, limit, after }, { searchSubOrganizations }) => {
    const kind = kinds[searchBy]
    const search = prefix === undefined ? undefined : { kind, prefix: lookupValue(kind, prefix) }
    const page = {
      limit: limitOf(limit),
      ...(after === undefined ? {} : { after: cursorOf(after, search?.prefix ?? '') }),
    }
    const { found, next } = await searchSubOrganizations(search, page, subOrganizationView)
    return {
      subOrganizations: found,
      ...(next === undefined ? {} : { next: writeCursor([next.value, next.target]) }),
    }
  },
})

function cursorOf(after: string, prefix: string): SubOrganizationCursor {
  const [value = '', target = ''] = readCursor(
    after,
    (parts) => parts.length === 2 && parts[0]?.startsWith(prefix) === true && isUuid(parts[1] ?? ''),
  )
  return { value, target }
}

function subOrganizationView(charter: Charter) {
  const { organizationId, organizationName, rootQuorum, users, createdAt, updatedAt } = charter
  const rootUsers = rootQuorum.userIds.flatMap((userId) => {
    const user = userOf(charter, userId)
    if (user === undefined) return []
    const { userName, userEmail } = user
    return [{ userId, userName, ...(userEmail === undefined ? {} : { userEmail }) }]
  })
  return {
    organizationId,
    organizationName,
    rootUsers,
    userCount: users.length,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}
