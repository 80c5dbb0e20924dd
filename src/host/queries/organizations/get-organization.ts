import { privateKeys } from '../../../trusted/objects/private-key.ts'
import { featureLists } from '../../../trusted/activities/organizations/feature-list.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  label,
  list,
  named,
  object,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import type { Invitation } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { configsView, policyView, tagView, timestamp, userView } from '../../../trusted/charter/view.ts'
import { privateKeyView } from '../private-keys/private-key-view.ts'
import { policyShape, privateKeyShape, tagShape, timestampShape } from '../shapes.ts'
import { userShape } from '../users/user-shape.ts'
import { quorumShape } from './get-organization-configs.ts'

const invitationShape = named(
  'Invitation',
  object({
    invitationId: uuid,
    receiverUserName: label,
    receiverUserEmail: text({ max: 255 }),
    receiverUserTags: list(uuid, { max: limits.tags }),
    accessType: text({ max: 64 }),
    senderUserId: uuid,
    status: text({ max: 64 }),
    createdAt: timestampShape,
    updatedAt: timestampShape,
  }),
)

/** The whole organization at once: an older query, beside which each part has one of its own. */
export const getOrganization = defineQuery({
  operation: 'get_organization',
  summary: 'Get an organization with its users, policies, tags and settings',
  request: object({ organizationId: organizationIdText }),
  response: object({
    organizationData: object({
      organizationId: uuid,
      name: label,
      users: list(userShape, { max: limits.users }),
      policies: list(policyShape, { max: limits.policies }),
      privateKeys: list(privateKeyShape, { max: Number.MAX_SAFE_INTEGER }),
      tags: list(tagShape, { max: limits.tags }),
      rootQuorum: quorumShape,
      ...featureLists,
      invitations: list(invitationShape, { max: limits.invitations }),
    }),
  }),
  example: {},
  answer: async (_, { charter, objects }) => {
    const { quorum, ...features } = configsView(charter)
    return {
      organizationData: {
        organizationId: charter.organizationId,
        name: charter.organizationName,
        users: charter.users.map(userView),
        policies: charter.policies.map(policyView),
        privateKeys: (await objects(privateKeys)).map(privateKeyView),
        tags: charter.tags.map(tagView),
        rootQuorum: quorum,
        ...features,
        invitations: charter.invitations.map(invitationView),
      },
    }
  },
})

function invitationView({ createdAt, updatedAt, ...invitation }: Invitation) {
  return { ...invitation, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
