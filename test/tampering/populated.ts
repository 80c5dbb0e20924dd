import { present } from '../../src/trusted/base/assert.ts'
import { Commits } from '../../src/host/pipeline/commits.ts'
import { stampKeyFrom, type StampKey } from '../support/stamper.ts'
import type { JsonAnswer, TestWorld } from '../support/service.ts'
import { sentBy, type Sent, type Service } from './harness.ts'
import type { Store } from '../../src/host/store/store.ts'
import { type PopulatedWallets, populateWallets } from './populated-wallets.ts'

export type Person = { readonly organizationId: string; readonly userId: string; readonly key: StampKey }

/** A small service with something of everything that is stored. */
export type Populated = {
  /** The first organization, and another one that has nothing to do with it. */
  readonly root: Person
  readonly other: Person
  /** Root of a sub-organization of the first. */
  readonly sub: Person
  /** May sign, with one more of them. */
  readonly ada: Person
  readonly ben: Person
  /** May do nothing. */
  readonly stranger: Person
  readonly policyId: string
  readonly keyId: string
  readonly keyAddress: string
  readonly spareKeyId: string
  readonly otherKeyId: string
  readonly subKeyId: string
  /** Requests as they were sent. */
  readonly signed: Sent
  readonly refused: Sent
  readonly waiting: Sent
  readonly waitingToo: Sent
  readonly waitingForApproval: string
  readonly waitingForRejection: string
  readonly rejected: Sent
  readonly signedId: string
  readonly wallets: PopulatedWallets
}

export async function populate(service: Service, store: Store): Promise<Populated> {
  const { world } = service
  const root = await established(service, store, 'First')
  const other = await established(service, store, 'Other')
  const ada = await newUser(service, root, 'Ada')
  const ben = await newUser(service, root, 'Ben')
  const stranger = await newUser(service, root, 'Stranger')
  const { policyId } = await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: `approvers.count() >= 2 && approvers.all(user, user.id in ['${ada.userId}', '${ben.userId}'])`,
    notes: '',
  })
  const { privateKeyTagId } = await done(service, root, 'CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'Hot',
    privateKeyIds: [],
  })
  const key = await newKey(service, root, 'Treasury', [privateKeyTagId])
  const spare = await newKey(service, root, 'Spare')
  const otherKey = await newKey(service, other, 'Treasury')
  const subKeys = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
  const { subOrganizationId, rootUserIds } = await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Sub',
    rootQuorumThreshold: 1,
    rootUsers: [userParams('Sub root', subKeys)],
  })
  const sub = {
    organizationId: subOrganizationId,
    userId: present(rootUserIds[0], 'a root user'),
    key: subKeys,
  }
  const subKey = await newKey(service, sub, 'Treasury')
  await done(service, root, 'INIT_IMPORT_PRIVATE_KEY', { userId: root.userId })
  const wallets = await populateWallets(service, root, ben)

  const sign = (by: Person, payload: string): Sent => signing(world, by, key.privateKeyId, payload)
  const signed = sign(root, '01')
  const refused = sign(stranger, '02')
  const waiting = sign(ada, '03')
  const waitingToo = sign(ada, '04')
  const rejected = sign(ada, '05')
  const { activity } = JSON.parse((await service.send(signed)).text) as JsonAnswer
  await service.send(refused)
  const proposals: string[] = []
  for (const sent of [waiting, waitingToo, rejected])
    proposals.push((JSON.parse((await service.send(sent)).text) as JsonAnswer).activity.fingerprint)
  const [waitingForApproval = '', waitingForRejection = '', toReject = ''] = proposals
  await service.send(submission(world, ben, 'REJECT_ACTIVITY', { fingerprint: toReject }))
  await service.send(signing(world, other, otherKey.privateKeyId, '06'))
  return {
    root,
    other,
    sub,
    ada,
    ben,
    stranger,
    policyId,
    keyId: key.privateKeyId,
    keyAddress: present(key.addresses[0], 'an address').address,
    spareKeyId: spare.privateKeyId,
    otherKeyId: otherKey.privateKeyId,
    subKeyId: subKey.privateKeyId,
    signed,
    refused,
    waiting,
    waitingToo,
    waitingForApproval,
    waitingForRejection,
    rejected,
    signedId: activity.id,
    wallets,
  }
}

/** `CREATE_USERS_V3` is sent to `create_users`, with a timestamp of its own. */
export function submission(
  world: TestWorld,
  by: Person,
  type: string,
  parameters: object,
  organizationId = by.organizationId,
): Sent {
  world.advance(1)
  return sentBy(by.key, `submit/${type.replace(/_V\d+$/, '').toLowerCase()}`, {
    type: `ACTIVITY_TYPE_${type}`,
    timestampMs: String(world.now()),
    organizationId,
    parameters,
  })
}

export function signing(world: TestWorld, by: Person, signWith: string, payload: string): Sent {
  return submission(world, by, 'SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
}

export async function done(
  service: Service,
  by: Person,
  type: string,
  parameters: object,
): Promise<JsonAnswer> {
  const { text, bug } = await service.send(submission(service.world, by, type, parameters))
  const answer = text === '' ? undefined : (JSON.parse(text) as JsonAnswer)
  if (answer?.activity?.status !== 'ACTIVITY_STATUS_COMPLETED')
    throw new Error(`${type}: ${text}`, { cause: bug })
  return Object.entries(answer.activity.result).find(([name]) => name !== 'activity')?.[1]
}

export async function established(service: Service, store: Store, organizationName: string): Promise<Person> {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
  const established = await service.vault.establish({
    organizationName,
    userName: 'Root',
    apiKeyName: 'Key',
    publicKey: key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  await new Commits({ store, vault: service.vault }).commit(established)
  const { organizationId, userId } = established
  return { organizationId, userId, key }
}

export async function newUser(service: Service, root: Person, userName: string): Promise<Person> {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
  const users = [{ ...userParams(userName, key), userTags: [] }]
  const { userIds } = await done(service, root, 'CREATE_USERS_V3', { users })
  return { organizationId: root.organizationId, userId: present(userIds[0], 'a user'), key }
}

function userParams(userName: string, { publicKey }: StampKey) {
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { userName, apiKeys, authenticators: [], oauthProviders: [] }
}

export async function newKey(
  service: Service,
  by: Person,
  privateKeyName: string,
  privateKeyTags: readonly string[] = [],
): Promise<{ readonly privateKeyId: string; readonly addresses: readonly { readonly address: string }[] }> {
  const addressFormats = ['ADDRESS_FORMAT_ETHEREUM']
  const wanted = { privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags, addressFormats }
  const { privateKeys } = await done(service, by, 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [wanted] })
  return privateKeys[0]
}
