import type { Charter } from '../../src/trusted/charter/charter.ts'
import { stampKeyFrom, stampWith } from '../support/stamper.ts'
import type { Seeded } from '../support/seeded.ts'
import type { TestWorld } from '../support/service.ts'
import { sentBy, type Sent } from '../tampering/harness.ts'
import { type Person, submission } from '../tampering/populated.ts'
import { transfer } from '../limits/spending.ts'
import { limits } from './limits.ts'
import { accountParams, type Organization, userParams } from './people.ts'
import { policies, type PolicyName, RAW_GUARD } from './rules.ts'
import type { Observer } from './observer.ts'

export type Request = { readonly by: Person; readonly to: string; readonly sent: Sent }

type Situation = {
  readonly world: TestWorld
  readonly random: Seeded
  readonly seen: Observer
  readonly organizations: readonly Organization[]
  /** Everything that was sent so far. */
  readonly past: readonly Request[]
}

const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta']

/** Something that someone might send now; one in eight is aimed at an organization of others. */
export function nextRequest(situation: Situation): Request {
  const { random, organizations } = situation
  const home = random.pick(organizations)
  const target = random.below(8) === 0 ? random.pick(organizations) : home
  const by = random.below(3) === 0 ? random.pick(home.roots) : random.pick(home.people)
  const again = situation.past.at(-1 - random.below(20))
  if (again !== undefined && random.below(8) === 0) return sentAgain(again, by, random)
  return { by, to: target.organizationId, sent: activityOrQuery(situation, by, target) }
}

/** Several people of one organization spend from one account at once. */
export function spree(situation: Situation, count: number): readonly Request[] {
  const { random, organizations, world } = situation
  const home = random.pick(organizations)
  const signWith = anyAccount(situation, home)
  return Array.from({ length: count }, () => {
    const by = random.pick(home.people)
    return { by, to: home.organizationId, sent: spending(world, by, { signWith, random, home }) }
  })
}

function spending(
  world: TestWorld,
  by: Person,
  {
    signWith,
    random,
    home,
  }: { readonly signWith: string; readonly random: Seeded; readonly home: Organization },
): Sent {
  const parameters = {
    signWith,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: transfer(random.pick(AMOUNTS), random.below(100)),
  }
  return submission(world, by, 'SIGN_TRANSACTION_V2', parameters, home.organizationId)
}

/** The very bytes of an earlier request, by their sender or by another user who stamps them too. */
function sentAgain(earlier: Request, by: Person, random: Seeded): Request {
  if (random.below(2) === 0) return earlier
  const { body, route } = earlier.sent
  return { by, to: earlier.to, sent: { route, body, xStamp: stampWith(by.key, body).stampHeaderValue } }
}

function activityOrQuery(situation: Situation, by: Person, target: Organization): Sent {
  const { world, random, seen } = situation
  const charter = seen.charters.get(target.organizationId)
  if (charter === undefined) throw new Error('an organization has a charter')
  const submit = (type: string, parameters: object): Sent =>
    submission(world, by, type, parameters, target.organizationId)
  const anyUser = (): string => random.pick(charter.users).userId
  const keys = [...seen.keys.keys()]
  const own = keys.filter((key) => key.startsWith(target.organizationId))
  const anyKey = (): string =>
    idOf(random.pick([...(random.below(6) > 0 ? own : keys), `${target.organizationId} none`]))
  const wallets = [...seen.wallets.keys()].filter((wallet) => wallet.startsWith(target.organizationId))
  switch (random.below(17)) {
    case 0:
    case 1:
      return submit('CREATE_PRIVATE_KEYS_V2', { privateKeys: [keyParams(random.pick(NAMES))] })
    case 2:
    case 3:
      return submit('SIGN_RAW_PAYLOAD_V2', {
        signWith: anyKey(),
        payload: Buffer.from(random.bytes(1)).toString('hex'),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_SHA256',
      })
    case 4:
    case 5:
    case 6:
      return submit(random.below(5) === 0 ? 'REJECT_ACTIVITY' : 'APPROVE_ACTIVITY', {
        fingerprint: waitingFingerprint(situation, target),
      })
    case 7:
      return submit('CREATE_API_KEYS_V2', apiKeys(random, random.below(2) === 0 ? by.userId : anyUser()))
    case 8: {
      const userId = random.below(2) === 0 ? by.userId : anyUser()
      const held = charter.users.find((user) => user.userId === userId)?.apiKeys ?? []
      const apiKeyIds = held.length === 0 ? [userId] : [random.pick(held).apiKeyId]
      return submit('DELETE_API_KEYS', { userId, apiKeyIds })
    }
    case 9:
      return submit('DELETE_PRIVATE_KEYS', { privateKeyIds: [anyKey()], deleteWithoutExport: true })
    case 10:
      return policyChange(submit, charter, random)
    case 11:
      return userChange(submit, charter, random)
    case 12:
      if (random.below(3) === 0)
        return random.below(2) === 0
          ? submit('SET_ORGANIZATION_FEATURE', { name: RAW_GUARD, value: '' })
          : submit('REMOVE_ORGANIZATION_FEATURE', { name: RAW_GUARD })
      return submit('UPDATE_ROOT_QUORUM', {
        threshold: 1 + random.below(2),
        userIds: [...new Set([...charter.rootQuorum.userIds, anyUser()])].slice(-3),
      })
    case 13:
    case 14:
      return spending(world, by, { signWith: anyAccount(situation, target), random, home: target })
    case 15:
      return walletChange(submit, idOf(random.pick([...wallets, `${target.organizationId} none`])), random)
    default:
      return query(by, target, anyKey(), random)
  }
}

type Submit = (type: string, parameters: object) => Sent

function policyChange(submit: Submit, charter: Charter, random: Seeded): Sent {
  const policiesThatGo = charter.policies.filter(({ policyName }) => !(policyName in limits))
  if (policiesThatGo.length > 0 && random.below(2) === 0)
    return submit('DELETE_POLICY', { policyId: random.pick(policiesThatGo).policyId })
  // The names of a record.
  const policyName = random.pick(Object.keys(policies) as PolicyName[])
  return submit('CREATE_POLICY_V3', { policyName, ...policies[policyName], notes: '' })
}

function userChange(submit: Submit, charter: Charter, random: Seeded): Sent {
  if (random.below(3) === 0) return submit('DELETE_USERS', { userIds: [random.pick(charter.users).userId] })
  const { publicKey } = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes)
  return submit('CREATE_USERS_V3', {
    users: [{ ...userParams(random.pick(NAMES), publicKey), userTags: [] }],
  })
}

function walletChange(submit: Submit, walletId: string, random: Seeded): Sent {
  const accounts = [accountParams(random.below(4))]
  switch (random.below(6)) {
    case 0:
    case 1:
      return submit('CREATE_WALLET', { walletName: random.pick(NAMES), accounts })
    case 2:
      return submit('DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport: true })
    default:
      return submit('CREATE_WALLET_ACCOUNTS', { walletId, accounts })
  }
}

/** Mostly of one that is here. */
function anyAccount({ seen, random }: Situation, { organizationId }: Organization): string {
  const accounts = [...seen.accounts]
  const own = accounts.filter(([account]) => account.startsWith(organizationId))
  const [, address] = random.pick([...(random.below(6) > 0 ? own : accounts), ['', NO_ACCOUNT] as const])
  return address
}

const NO_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Two of the greater ones exceed the limit. */
const AMOUNTS = [0n, 10n, 45n, 60n, 60n, 101n]

function query(by: Person, target: Organization, privateKeyId: string, random: Seeded): Sent {
  const { organizationId } = target
  const operation = random.pick([
    'whoami',
    'list_users',
    'list_policies',
    'list_private_keys',
    'list_wallets',
    'list_activities',
    'list_suborgs',
    'get_private_key',
  ])
  const more = operation === 'get_private_key' ? { privateKeyId } : {}
  return sentBy(by.key, `query/${operation}`, { organizationId, ...more })
}

/** Mostly of one that waits here; sometimes of any record of anyone. */
function waitingFingerprint({ seen, random }: Situation, { organizationId }: Organization): string {
  const records = [...seen.records.values()]
  const waiting = records.filter(
    (row) => row.organizationId === organizationId && row.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  )
  const among = waiting.length > 0 && random.below(6) > 0 ? waiting : records
  return among.length === 0 ? `sha256:${'0'.repeat(64)}` : random.pick(among).fingerprint
}

/** Several at once, so that the limits are met. */
function apiKeys(random: Seeded, userId: string) {
  const isExpiring = random.below(2) === 0
  const keys = Array.from({ length: 1 + random.below(4) }, () => ({
    apiKeyName: 'More',
    publicKey: stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes).publicKey,
    curveType: 'API_KEY_CURVE_P256',
    ...(isExpiring ? { expirationSeconds: '3600' } : {}),
  }))
  return { userId, apiKeys: keys }
}

function keyParams(privateKeyName: string) {
  return { privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }
}

function idOf(key: string): string {
  const id = key.split(' ')[1] ?? ''
  return id === 'none' ? '01a1fb67-0000-7000-8000-00000000000f' : id
}
