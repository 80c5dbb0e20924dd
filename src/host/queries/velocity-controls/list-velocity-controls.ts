import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { pageIn, pageInfoShape, pageOf, paginationShape } from '../page.ts'
import { velocityControlShape, velocityControlView } from './control-view.ts'

/** All of them, unless a page is asked for. */
export const listVelocityControls = defineQuery({
  operation: 'list_velocity_controls',
  summary: 'List the velocity controls of an organization, oldest first',
  request: object({ organizationId: organizationIdText, paginationOptions: optional(paginationShape) }),
  response: object({
    velocityControls: list(velocityControlShape, { max: limits.velocityControls }),
    pageInfo: pageInfoShape,
  }),
  example: {},
  answer: ({ paginationOptions }, { charter: { organizationId, velocityControls } }) => {
    const asked =
      paginationOptions === undefined ? { limit: limits.velocityControls } : pageOf(paginationOptions)
    const { page, pageInfo } = pageIn(velocityControls, ({ velocityControlId }) => velocityControlId, asked)
    return {
      velocityControls: page.map((velocityControl) => velocityControlView(organizationId, velocityControl)),
      pageInfo,
    }
  },
})
