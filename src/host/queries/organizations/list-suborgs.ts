import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'
import { lookupOfFilter } from './suborg-filter.ts'

/** In the order in which they were created: identifiers begin with their time. */
export const listSuborgs = defineQuery({
  operation: 'list_suborgs',
  summary: 'List all sub-organizations, or those that match a filter, oldest first',
  request: object({
    organizationId: organizationIdText,
    filterType: optional(text({ max: 64 })),
    filterValue: optional(text({ max: 16_384 })),
    paginationOptions: optional(paginationShape),
  }),
  response: object({ organizationIds: list(uuid, { max: 100 }) }),
  example: { filterType: 'NAME', filterValue: 'Customer 4711' },
  long: 'charters',
  answer: async ({ filterType, filterValue, paginationOptions }, { subOrganizations }) => {
    const { kind, value } = lookupOfFilter(filterType, filterValue)
    return { organizationIds: await subOrganizations(kind, value, pageOf(paginationOptions)) }
  },
})
