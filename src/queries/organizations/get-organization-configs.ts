import { defineQuery } from '../../catalogue/query.ts'
import { int32, list, named, object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { configsView } from '../../charter/view.ts'
import { featureLists } from '../../activities/organizations/feature-list.ts'

/** The users who together may do anything, and how many of them it takes. */
export const quorumShape = named(
  'RootQuorum',
  object({ threshold: int32, userIds: list(uuid, { max: limits.users }) }),
)

export const getOrganizationConfigs = defineQuery({
  operation: 'get_organization_configs',
  summary: 'Get the features and the root quorum of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ configs: object({ ...featureLists, quorum: quorumShape }) }),
  answer: (_, { charter }) => ({ configs: configsView(charter) }),
})
