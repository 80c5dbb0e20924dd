import { privateKeys } from '../../../trusted/objects/private-key.ts'
import { wallets } from '../../../trusted/objects/wallet.ts'
import { featureLists } from '../../../trusted/activities/organizations/feature-list.ts'
import { JsonText } from '../../../trusted/catalogue/json-text.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { label, list, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { configsView, policyView, tagView, userView } from '../../../trusted/charter/view.ts'
import { privateKeyView } from '../private-keys/private-key-view.ts'
import { policyShape, privateKeyShape, tagShape, walletShape } from '../shapes.ts'
import { userShape } from '../users/user-shape.ts'
import { walletView } from '../wallets/wallet-view.ts'
import { quorumShape } from './get-organization-configs.ts'
import { invitationInDataShape, invitationInDataView } from './invitation-shape.ts'

/** The whole organization at once: an older query; each part also has a query of its own. */
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
      wallets: list(walletShape, { max: limits.wallets }),
      tags: list(tagShape, { max: limits.tags }),
      rootQuorum: quorumShape,
      ...featureLists,
      invitations: list(invitationInDataShape, { max: limits.invitations }),
    }),
  }),
  example: {},
  long: 'answer',
  answer: async (_, { charter, listText, objects }) => {
    const { quorum, ...features } = configsView(charter)
    const head = fieldsOf({
      organizationId: charter.organizationId,
      name: charter.organizationName,
      users: charter.users.map(userView),
      policies: charter.policies.map(policyView),
    })
    const tail = fieldsOf({
      wallets: (await objects(wallets)).map(walletView),
      tags: charter.tags.map(tagView),
      rootQuorum: quorum,
      ...features,
      invitations: charter.invitations.map(invitationInDataView),
    })
    const listed = await listText(privateKeys, privateKeyView)
    return new JsonText(`{"organizationData":{${head},"privateKeys":${listed},${tail}}}`)
  },
})

function fieldsOf(part: object): string {
  return JSON.stringify(part).slice(1, -1)
}
