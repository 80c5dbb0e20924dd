import { generateP256KeyPair } from '@turnkey/crypto'
import { assertActivityCompleted, TurnkeyClient } from '@turnkey/http'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { present } from '../../src/base/assert.ts'
import { type DevEnv, devEnvOf, type RunningService, runService } from '../support/running-service.ts'
import { counted } from './counted.ts'

/** A running service and people who use it through the published client. */
export type Setting = {
  readonly service: RunningService
  readonly env: DevEnv
  /** The root user that the first start of development mode made. */
  readonly root: Person
  /** Paths of the operations that a published client has called with success. */
  readonly called: ReadonlySet<string>
  /** The published client with a stamper of the test. */
  readonly clientWith: (stamper: TurnkeyClient['stamper']) => TurnkeyClient
  /** Someone with a key pair of their own, who is no user of the organization yet. */
  readonly someone: (organizationId: string) => Stranger
  /** A user without any rights, made by another. */
  readonly user: (by: Person, userName: string, userTags?: string[]) => Promise<Person>
  /** A sub-organization of the first organization, with as many root users as names, who only decide `quorum` together. */
  readonly subOrganization: (name: string, userNames: readonly string[], quorum?: number) => Promise<Person[]>
  readonly stop: () => Promise<number | null>
}

export type Stranger = {
  readonly client: TurnkeyClient
  readonly organizationId: string
  readonly publicKey: string
  readonly privateKey: string
  /** What the client's methods take: the parameters of an activity in this person's organization, at a time no other has. */
  readonly activity: <T extends string, P>(type: T, parameters: P) => Envelope<T, P>
}

export type Person = Stranger & { readonly userId: string }

export type Envelope<T, P> = { type: T; timestampMs: string; organizationId: string; parameters: P }

export async function aSetting(): Promise<Setting> {
  const service = await runService('dev')
  const env = devEnvOf(service.dataFolder)
  const called = new Set<string>()
  const nextTimestamp = timestamps()

  const clientWith: Setting['clientWith'] = (stamper) =>
    counted(new TurnkeyClient({ baseUrl: service.url }, stamper), called)
  const stranger = (organizationId: string, keys: { publicKey: string; privateKey: string }): Stranger => {
    const stamper = new ApiKeyStamper({ apiPublicKey: keys.publicKey, apiPrivateKey: keys.privateKey })
    return {
      client: clientWith(stamper),
      organizationId,
      publicKey: keys.publicKey,
      privateKey: keys.privateKey,
      activity: (type, parameters) => ({ type, timestampMs: nextTimestamp(), organizationId, parameters }),
    }
  }
  const someone = (organizationId: string): Stranger => stranger(organizationId, generateP256KeyPair())
  const rootKeys = { publicKey: env.API_PUBLIC_KEY, privateKey: env.API_PRIVATE_KEY }
  const root = { ...stranger(env.ORGANIZATION_ID, rootKeys), userId: env.ROOT_USER_ID }

  return {
    service,
    env,
    root,
    called,
    clientWith,
    someone,
    user: async (by, userName, userTags = []) => {
      const person = someone(by.organizationId)
      const users = [{ ...withKey(person, userName), userTags }]
      const { activity } = await by.client.createUsers(
        by.activity('ACTIVITY_TYPE_CREATE_USERS_V4', { users }),
      )
      assertActivityCompleted(activity)
      return { ...person, userId: present(activity.result.createUsersResult?.userIds[0], 'the new user') }
    },
    subOrganization: async (subOrganizationName, userNames, rootQuorumThreshold = 1) => {
      // Their organization is only known once it is made, and their keys before.
      const keys = userNames.map(() => generateP256KeyPair())
      const rootUsers = userNames.map((userName, index) =>
        withKey(present(keys[index], 'one key for each'), userName),
      )
      const { activity } = await root.client.createSubOrganization(
        root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
          subOrganizationName,
          rootUsers,
          rootQuorumThreshold,
        }),
      )
      assertActivityCompleted(activity)
      const made = present(activity.result.createSubOrganizationResultV8, 'the result')
      return keys.map((pair, index) => ({
        ...stranger(made.subOrganizationId, pair),
        userId: present(made.rootUserIds?.[index], 'one user for each'),
      }))
    },
    stop: service.stop,
  }
}

/** A user whose only credential is this key. */
export function withKey({ publicKey }: { readonly publicKey: string }, userName: string) {
  const curveType = 'API_KEY_CURVE_P256' as const
  return {
    userName,
    apiKeys: [{ apiKeyName: `Key of ${userName}`, publicKey, curveType }],
    authenticators: [],
    oauthProviders: [],
  }
}

/** Two requests of one instant and content would be one request. */
function timestamps(): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return String(last)
  }
}
