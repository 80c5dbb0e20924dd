import type { Member, Response, TestService } from '../../../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../../../test/support/stamper.ts'

export const CREATE_SUB_ORGANIZATION = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'

/** A root user in the newest form, with one API key. */
export function rootUser(userName: string, key: StampKey, more: object = {}): object {
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { userName, apiKeys, authenticators: [], oauthProviders: [], ...more }
}

type SubOrganization = { readonly organizationId: string; readonly roots: readonly [Member, Member] }

/** A sub-organization with two root users, Ada and Ben. */
export async function aSubOrganization(
  service: TestService,
  options: { readonly threshold?: number; readonly name?: string } = {},
): Promise<SubOrganization> {
  const [ada, ben] = [service.newKey(), service.newKey()]
  const { subOrganizationId: organizationId, rootUserIds } = await service.done(
    service.root,
    CREATE_SUB_ORGANIZATION,
    {
      subOrganizationName: options.name ?? 'Sub',
      rootQuorumThreshold: options.threshold ?? 1,
      rootUsers: [rootUser('Ada', ada), rootUser('Ben', ben)],
    },
  )
  return {
    organizationId,
    roots: [
      { organizationId, userId: rootUserIds[0], key: ada },
      { organizationId, userId: rootUserIds[1], key: ben },
    ],
  }
}

/** One request that several people can send with the very same bytes. */
export function requestOf(
  service: TestService,
  type: string,
  organizationId: string,
  parameters: object,
): { readonly sentBy: (member: Member) => Promise<Response> } {
  service.world.advance(1)
  const operation = type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
  const body = JSON.stringify({ type, timestampMs: String(service.world.now()), organizationId, parameters })
  return {
    sentBy: (member) => {
      const { stampHeaderName, stampHeaderValue } = stampWith(member.key, body)
      return service.post(`/public/v1/submit/${operation}`, body, { [stampHeaderName]: stampHeaderValue })
    },
  }
}
