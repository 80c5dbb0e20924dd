import type { ActivityOrder } from './load-activities.ts'
import type { ListOrder } from './load-lists.ts'
import type { SignatureOrder } from './load-signatures.ts'
import type { PeerOrder } from './peers/load-peer.ts'
import { cpuSeconds } from './processes.ts'
import { type BenchService, type Signer, sendLoad } from './service.ts'
import { signingOrganization } from './signing-organization.ts'

/** What the measured loads are about, in a service that is empty otherwise. */
export type Ground = {
  readonly service: BenchService
  /** Addresses or ids of keys of the root user, 64 of each curve. */
  readonly secp256k1: readonly string[]
  readonly ed25519: readonly string[]
  readonly p256: readonly string[]
  /** A user who may sign under policies, one of which limits each account by the day. */
  readonly limited: Signer
  readonly limitedAccounts: readonly string[]
  /** How many requests of activities were made of each kind: no two are the same. */
  serial: number
}

/** One load, as the table of a comparison names it. */
export type Measure = {
  readonly name: string
  readonly connections: number
  readonly requests: number
  /** Offered at this pace, whatever the answers; as fast as they come unless told. */
  readonly perSecond?: number
  /** How many of what is told about, a request has: 1 unless told. */
  readonly each?: number
  readonly order: (ground: Ground) => SignatureOrder | ActivityOrder | ListOrder
}

const LISTED = 100

const signing = (keys: (ground: Ground) => readonly string[]) => (requests: number) => (ground: Ground) => ({
  load: 'signatures' as const,
  requests,
  as: ground.service.root,
  signWith: keys(ground),
})
const secp256k1 = signing((ground) => ground.secp256k1)
const transfers =
  (accounts: (ground: Ground) => readonly string[], requests: number) => (ground: Ground) => ({
    load: 'activities' as const,
    what: 'ether transfers' as const,
    requests,
    as: ground.limited,
    subjects: accounts(ground),
    earlier: (ground.serial += requests) - requests,
  })

export const MEASURES: readonly Measure[] = [
  { name: 'secp256k1, 64 connections', connections: 64, requests: 4_000, order: secp256k1(4_000) },
  { name: 'secp256k1, 256 connections', connections: 256, requests: 4_000, order: secp256k1(4_000) },
  { name: 'secp256k1, 16 connections', connections: 16, requests: 3_000, order: secp256k1(3_000) },
  { name: 'secp256k1, 1 connection', connections: 1, requests: 800, order: secp256k1(800) },
  {
    name: 'Ed25519, 64 connections',
    connections: 64,
    requests: 3_000,
    order: (ground) => ({
      ...signing(({ ed25519 }) => ed25519)(3_000)(ground),
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    }),
  },
  {
    name: 'P-256, 64 connections',
    connections: 64,
    requests: 3_000,
    order: signing((ground) => ground.p256)(3_000),
  },
  {
    name: 'P-256, 1 connection',
    connections: 1,
    requests: 600,
    order: signing((ground) => ground.p256)(600),
  },
  {
    name: 'secp256k1, 500 a second',
    connections: 64,
    requests: 1_500,
    perSecond: 500,
    order: secp256k1(1_500),
  },
  {
    name: 'transfers, limit, 1,000 accounts',
    connections: 64,
    requests: 2_000,
    order: transfers((ground) => ground.limitedAccounts, 2_000),
  },
  {
    name: 'transfers, limit, one account',
    connections: 64,
    requests: 800,
    order: transfers((ground) => ground.limitedAccounts.slice(0, 1), 800),
  },
  {
    name: `a record of a list of ${LISTED}`,
    connections: 16,
    requests: 60,
    each: LISTED,
    order: (ground) => ({ load: 'lists', requests: 60, as: ground.service.root, limit: LISTED }),
  },
]

const KEYS = 64
const ACCOUNTS = 1_000

export async function groundOf(service: BenchService): Promise<Ground> {
  const keys = async (curve: string): Promise<readonly string[]> => {
    const answer = await service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: Array.from({ length: KEYS }, (_, at) => ({
        privateKeyName: `${curve} ${at}`,
        curve,
        privateKeyTags: [],
        addressFormats: [],
      })),
    })
    // The result of this activity, as its declaration has it.
    const created = answer.activity.result['createPrivateKeysResultV2']?.['privateKeys'] as readonly {
      readonly privateKeyId: string
    }[]
    return created.map(({ privateKeyId }) => privateKeyId)
  }
  const limited = await signingOrganization(service, {
    name: 'Limited',
    policies: 20,
    limit: 'an account',
    keys: ACCOUNTS,
  })
  return {
    service,
    secp256k1: await keys('CURVE_SECP256K1'),
    ed25519: await keys('CURVE_ED25519'),
    p256: await keys('CURVE_P256'),
    limited: limited.user,
    limitedAccounts: limited.accounts,
    serial: 0,
  }
}

export type Taken = {
  /** Of all processes of the service, for each request. */
  readonly cpuUs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the database, where there is one. */
  readonly databaseUs?: number
}

export async function take(measure: Measure, ground: Ground): Promise<Taken> {
  const { port, pid } = ground.service
  return await sent(measure, measure.order(ground), {
    port,
    cpu: () => cpuSeconds(pid),
    settled: async () => await nothingWaits(port),
  })
}

const LOOK_AGAIN_MS = 200

/** What a load has left to be delivered, such as lines of an audit stream, is a part of what it costs. */
async function nothingWaits(port: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (!/^claviger_deliveries_waiting\{kind="webhook"\} [1-9]/m.test(metrics)) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

type Load = SignatureOrder | ActivityOrder | ListOrder | PeerOrder

/** Sends a load to a server, and takes what it cost by a clock of the server's CPU, in seconds. */
export async function sent(
  { name, connections, perSecond, each = 1 }: Measure,
  load: Load,
  {
    port,
    cpu,
    settled = async () => {},
  }: { readonly port: number; readonly cpu: () => number; readonly settled?: () => Promise<void> },
): Promise<Taken> {
  let before = 0
  const pace = perSecond === undefined ? {} : { perSecond }
  const report = await sendLoad(
    { ...load, port, connections, ...pace },
    {
      before: () => {
        before = cpu()
      },
    },
  )
  if (report.failed > 0)
    throw new Error(`${name}: ${report.failed} failed: ${report.firstFailure.slice(0, 500)}`)
  await settled()
  const count = report.succeeded * each
  return {
    cpuUs: ((cpu() - before) / count) * 1e6,
    perSecond: count / report.seconds,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
  }
}
