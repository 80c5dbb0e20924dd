// Transactions signed under policies beside raw signatures, lists of payloads, and new accounts, on the embedded store.
// [-- --quick]: fewer and shorter rounds.
import { derivationReport } from './derivation.ts'
import { ACCOUNTS_AT_ONCE, type Asked, PAYLOADS_AT_ONCE } from './load-activities.ts'
import { median } from './median.ts'
import { cpuSeconds } from './processes.ts'
import { rawCryptoMicroseconds } from './raw-limits.ts'
import { type Signer, sendLoad, startBenchService } from './service.ts'
import { type SigningOrganization, signingOrganization } from './signing-organization.ts'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 3 : 7
const REQUESTS = isQuick ? 1_500 : 5_000
const POLICIES = 20
const KEYS = 1_000

type Case = {
  readonly title: string
  readonly what: Asked
  readonly as: Signer
  readonly subjects: readonly string[]
  readonly connections?: number
  readonly requests?: number
}

type Round = { readonly perSecond: number; readonly p50Ms: number; readonly cpuUs: number }

const raw = rawCryptoMicroseconds()
say(
  `raw crypto on one core: P-256 verify ${raw.verify.toFixed(1)} us + secp256k1 sign ${raw.sign.toFixed(1)} us`,
)
const service = await startBenchService({})
try {
  const [free, limited] = [
    await signingOrganization(service, { name: 'Free', policies: POLICIES, keys: KEYS }),
    await signingOrganization(service, {
      name: 'Limited',
      policies: POLICIES,
      limit: 'an account',
      keys: KEYS,
    }),
  ]
  await signatures(free, limited)
  await lists(free)
  await accounts(free)
} finally {
  await service.stop()
}
for (const line of derivationReport()) say(line)

async function signatures(free: SigningOrganization, limited: SigningOrganization): Promise<void> {
  const { root, user, accounts: all, privateKeys } = free
  const cases: readonly Case[] = [
    { title: 'raw, root user, private key', what: 'raw signatures', as: root, subjects: privateKeys },
    { title: 'raw, private key', what: 'raw signatures', as: user, subjects: privateKeys },
    { title: 'raw, wallet account', what: 'raw signatures', as: user, subjects: all },
    { title: 'ether transfer, private key', what: 'ether transfers', as: user, subjects: privateKeys },
    { title: 'ether transfer, wallet account', what: 'ether transfers', as: user, subjects: all },
    { title: 'token transfer, interface known', what: 'token transfers', as: user, subjects: all },
    {
      title: 'ether transfer, limit, many accounts',
      what: 'ether transfers',
      as: limited.user,
      subjects: limited.accounts,
    },
    {
      title: 'ether transfer, limit, one account',
      what: 'ether transfers',
      as: limited.user,
      subjects: limited.accounts.slice(0, 1),
      requests: REQUESTS / 5,
    },
  ]
  const taken = await inTurn(cases)
  say(
    `\nsignatures under ${POLICIES} policies, 64 connections, ${KEYS} keys of each kind; medians of ${ROUNDS} rounds in turn`,
  )
  say(
    '                                       per second   p50 ms   CPU us   x the first   per core and second',
  )
  const first = median((taken[0] ?? []).map(({ cpuUs }) => cpuUs))
  for (const [at, { title }] of cases.entries()) {
    const { perSecond, p50Ms, cpuUs } = medians(taken[at] ?? [])
    const figures = [
      perSecond.toFixed(0).padStart(11),
      p50Ms.toFixed(1).padStart(9),
      cpuUs.toFixed(0).padStart(9),
      (cpuUs / first).toFixed(2).padStart(14),
      (1e6 / cpuUs).toFixed(0).padStart(22),
    ]
    say(`${title.padEnd(38)}${figures.join('')}`)
  }
}

async function lists({ user, accounts: [account = ''] }: SigningOrganization): Promise<void> {
  const item: Case = {
    title: 'lists',
    what: 'lists of digests',
    as: user,
    subjects: [account],
    connections: 1,
    requests: 20,
  }
  const [taken = []] = await inTurn([item])
  const { p50Ms, cpuUs } = medians(taken)
  say(
    `\n${PAYLOADS_AT_ONCE} payloads in one activity: ${p50Ms.toFixed(1)} ms (median of 20, median of ${ROUNDS} rounds), ` +
      `${(cpuUs / 1000).toFixed(1)} ms CPU`,
  )
}

async function accounts({ root, walletId }: SigningOrganization): Promise<void> {
  const item: Case = {
    title: 'accounts',
    what: 'new accounts',
    as: root,
    subjects: [walletId],
    connections: 8,
    requests: 40,
  }
  // Those that the wallet has already.
  const [taken = []] = await inTurn([item], KEYS / ACCOUNTS_AT_ONCE)
  const { perSecond, cpuUs } = medians(taken)
  say(
    `\naccounts created, ${ACCOUNTS_AT_ONCE} in one activity: ${(perSecond * ACCOUNTS_AT_ONCE).toFixed(0)} per second, ` +
      `${(cpuUs / ACCOUNTS_AT_ONCE).toFixed(0)} us CPU each`,
  )
}

/** The rounds of each case; a first one, which warms up, is not among them. */
async function inTurn(cases: readonly Case[], earlier = 0): Promise<readonly (readonly Round[])[]> {
  const taken = cases.map((): Round[] => [])
  let serial = earlier
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, one] of cases.entries()) {
      const measured = await load(one, serial)
      serial += one.requests ?? REQUESTS
      if (round > 0) taken[at]?.push(measured)
    }
  }
  return taken
}

async function load(
  { title, what, as, subjects, connections = 64, requests = REQUESTS }: Case,
  earlier: number,
): Promise<Round> {
  let cpuBefore = 0
  const order = {
    load: 'activities' as const,
    port: service.port,
    connections,
    requests,
    what,
    as,
    subjects,
    earlier,
  }
  const report = await sendLoad(order, {
    before: () => {
      cpuBefore = cpuSeconds(service.pid)
    },
  })
  const cpuUs = ((cpuSeconds(service.pid) - cpuBefore) / requests) * 1e6
  if (report.failed > 0)
    throw new Error(`${title}: ${report.failed} failed: ${report.firstFailure.slice(0, 500)}`)
  return { perSecond: report.succeeded / report.seconds, p50Ms: report.p50Ms, cpuUs }
}

function medians(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
