import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { int32, list, named, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { configsView } from '../../../trusted/charter/view.ts'
import { featureLists } from '../../../trusted/activities/organizations/feature-list.ts'

/** The users of the root quorum, and the number of them that must approve. */
export const quorumShape = named(
  'RootQuorum',
  object({ threshold: int32, userIds: list(uuid, { max: limits.users }) }),
)

export const getOrganizationConfigs = defineQuery({
  operation: 'get_organization_configs',
  summary: 'Get the features and the root quorum of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ configs: object({ ...featureLists, quorum: quorumShape }) }),
  example: {},
  answer: (_, { charter }) => ({ configs: configsView(charter) }),
})
