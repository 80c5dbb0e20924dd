import { generateP256KeyPair } from '@turnkey/crypto'
import { assertActivityCompleted, TurnkeyClient } from '@turnkey/http'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { present } from '../../src/trusted/base/assert.ts'
import { type DevEnv, devEnvOf, type RunningService, runService } from '../support/running-service.ts'
import type { Settings } from '../support/running-service.ts'
import { counted } from './counted.ts'
import { type Inbox, inboxOf } from './inbox.ts'

/** A running service and people who use it through the published client. */
export type Setting = {
  readonly service: RunningService
  readonly env: DevEnv
  /** The public keys of the service, as it publishes them; published libraries take them in the place of their own. */
  readonly keys: PublishedKeys
  readonly inbox: Inbox
  /** The root user that the first start of development mode made. */
  readonly root: Person
  /** Paths of the operations that a published client has called with success. */
  readonly called: ReadonlySet<string>
  /** The published client with a stamper of the test, of this service unless of another. */
  readonly clientWith: (stamper: TurnkeyClient['stamper'], baseUrl?: string) => TurnkeyClient
  /** Someone with a key pair, of their own unless given, who is no user of the organization yet. */
  readonly someone: (organizationId: string, keys?: KeyPair) => Stranger
  /** A user without any rights, made by another. */
  readonly user: (by: Person, userName: string, userTags?: string[]) => Promise<Person>
  /**
   * A sub-organization of the first organization, with as many root users as names, who only decide `quorum` together.
   */
  readonly subOrganization: (name: string, userNames: readonly string[], quorum?: number) => Promise<Person[]>
  readonly stop: () => Promise<number | null>
}

/** `publicKey`: 33 bytes compressed, `privateKey`: 32 bytes, in hexadecimal; P-256. */
export type KeyPair = { readonly publicKey: string; readonly privateKey: string }

/** P-256 keys of 65 bytes uncompressed, but for the webhook key: 32 bytes of Ed25519; in hexadecimal. */
type PublishedKeys = Readonly<Record<'signer' | 'session' | 'otp' | 'oauth2' | 'webhook', string>>

export type Stranger = {
  readonly client: TurnkeyClient
  readonly organizationId: string
  readonly publicKey: string
  readonly privateKey: string
  /**
   * What the client's methods take: the parameters of an activity in this person's organization, at a time no other
   * has.
   */
  readonly activity: <T extends string, P>(type: T, parameters: P) => Envelope<T, P>
}

export type Person = Stranger & { readonly userId: string }

type Envelope<T, P> = { type: T; timestampMs: string; organizationId: string; parameters: P }

/** @param dataFolder  of a service that has ended, to start it again */
export async function aSetting(settings: Settings = {}, dataFolder?: string): Promise<Setting> {
  const service = await runService('dev', {
    // Issuers and receivers of the tests are on this machine.
    CLAVIGER_ALLOW_PRIVATE_ADDRESSES: 'true',
    ...settings,
    ...(dataFolder === undefined ? {} : { dataFolder }),
  })
  const env = devEnvOf(service.dataFolder)
  const called = new Set<string>()
  const nextTimestamp = timestamps()

  const clientWith: Setting['clientWith'] = (stamper, baseUrl = service.url) =>
    counted(new TurnkeyClient({ baseUrl }, stamper), called)
  const stranger = (organizationId: string, keys: KeyPair): Stranger => {
    const stamper = new ApiKeyStamper({ apiPublicKey: keys.publicKey, apiPrivateKey: keys.privateKey })
    return {
      client: clientWith(stamper),
      organizationId,
      publicKey: keys.publicKey,
      privateKey: keys.privateKey,
      activity: (type, parameters) => ({ type, timestampMs: nextTimestamp(), organizationId, parameters }),
    }
  }
  const someone: Setting['someone'] = (organizationId, keys = generateP256KeyPair()) =>
    stranger(organizationId, keys)
  const rootKeys = { publicKey: env.API_PUBLIC_KEY, privateKey: env.API_PRIVATE_KEY }
  const root = { ...stranger(env.ORGANIZATION_ID, rootKeys), userId: env.ROOT_USER_ID }

  const published = await fetch(`${service.url}/public/v1/discovery/keys`)
  return {
    service,
    env,
    // The tests of the address hold it to this shape.
    keys: (await published.json()) as PublishedKeys,
    inbox: inboxOf(service.url),
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
