import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'
import { lookupOfContact } from './suborg-filter.ts'

/** As `list_suborgs`, with verified contacts only. */
export const listVerifiedSuborgs = defineQuery({
  operation: 'list_verified_suborgs',
  summary: 'List the sub-organizations of users who have verified a contact, oldest first',
  request: object({
    organizationId: organizationIdText,
    filterType: optional(text({ max: 64 })),
    filterValue: optional(text({ max: 1024 })),
    paginationOptions: optional(paginationShape),
  }),
  response: object({ organizationIds: list(uuid, { max: 100 }) }),
  example: { filterType: 'EMAIL', filterValue: 'ada@example.com' },
  long: 'charters',
  answer: async ({ filterType, filterValue, paginationOptions }, { subOrganizations }) => {
    const { kind, value } = lookupOfContact(filterType, filterValue)
    return { organizationIds: await subOrganizations(kind, value, pageOf(paginationOptions)) }
  },
})
