import { createKeys, load } from './keys-and-load.ts'
import { cpuSeconds, residentMegabytes } from './processes.ts'
import { diskSyncMicroseconds, rawCryptoMicroseconds } from './raw-limits.ts'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import { type BenchService, secretOf, startBenchService } from './service.ts'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'

const isQuick = process.argv.includes('--quick')
const CONNECTIONS = isQuick ? [64] : [1, 16, 64, 256]
const REQUESTS: Readonly<Record<number, number>> = { 1: 6_000, 16: 20_000, 64: 40_000, 256: 40_000 }

const raw = rawCryptoMicroseconds()
const rawTotal = raw.verify + raw.sign
say(`disk: one synced append of 2 kB takes ${diskSyncMicroseconds().toFixed(0)} us (median)`)
say(
  `raw crypto on one core: P-256 verify ${raw.verify.toFixed(1)} us + secp256k1 sign ${raw.sign.toFixed(1)} us = ${rawTotal.toFixed(1)} us`,
)

await bench('embedded store', {})
if (process.argv.includes('--embedded')) say('')
else if (postgresAvailable()) {
  const postgres = await startPostgres()
  await bench('PostgreSQL', { CLAVIGER_DATABASE_URL: `${postgres.address}/postgres` }, postgres.pid)
  await postgres.stop()
} else say('PostgreSQL: not on this machine (apt-get install postgresql)')

async function bench(title: string, environment: Record<string, string>, storePid?: number): Promise<void> {
  say(`\n${title}`)
  const service = await startBenchService(environment)
  try {
    const keys = await createKeys(service, 64)
    await load(service, { connections: 64, requests: 5_000, keys })
    say('connections  activities/s   p50 ms   p99 ms   service CPU us/activity   x raw crypto   store CPU us')
    for (const connections of CONNECTIONS) {
      const storeBefore = storePid === undefined ? 0 : cpuSeconds(storePid)
      const run = await load(service, { connections, requests: REQUESTS[connections] ?? 20_000, keys })
      const store = storePid === undefined ? 0 : ((cpuSeconds(storePid) - storeBefore) / run.succeeded) * 1e6
      row([
        connections,
        run.succeeded / run.seconds,
        run.p50Ms,
        run.p99Ms,
        run.cpuUs,
        run.cpuUs / rawTotal,
        store,
      ])
    }
    const paced = await load(service, { connections: 64, requests: 5_000, keys, perSecond: 500 })
    say(`at 500 per second offered: p50 ${paced.p50Ms.toFixed(2)} ms, p99 ${paced.p99Ms.toFixed(2)} ms`)
    if (process.argv.includes('--scale')) {
      await manyKeys(service)
      await manySubOrganizations(service)
    }
    if (process.argv.includes('--million')) await million(service, keys)
    say(
      `memory of the service now: ${residentMegabytes(service.pid).toFixed(0)} MB (host and vault, resident)`,
    )
  } finally {
    await service.stop()
  }
}

/** The same load when the organization has many keys, signing with all of them in turn. */
async function manyKeys(service: BenchService): Promise<void> {
  let keys = await createKeys(service, 64)
  const few = await load(service, { connections: 64, requests: 30_000, keys })
  say(
    `with few keys: ${few.cpuUs.toFixed(0)} us CPU per activity, ${(few.succeeded / few.seconds).toFixed(0)}/s`,
  )
  for (const total of [10_000, 100_000]) {
    keys = [...keys, ...(await createKeys(service, total - keys.length))]
    const many = await load(service, { connections: 64, requests: 30_000, keys: keys.slice(-64) })
    const spread = await load(service, { connections: 64, requests: 30_000, keys })
    say(
      `with ${total} keys: signing with 64 of them ${many.cpuUs.toFixed(0)} us (x ${(many.cpuUs / few.cpuUs).toFixed(2)}), ` +
        `with all in turn ${spread.cpuUs.toFixed(0)} us (x ${(spread.cpuUs / few.cpuUs).toFixed(2)}), ${(spread.succeeded / spread.seconds).toFixed(0)}/s`,
    )
  }
}

/** The same load in one sub-organization, when its parent has many others. */
async function manySubOrganizations(service: BenchService): Promise<void> {
  const item = await subOrganization(service, 'measured')
  const few = await load(service, { connections: 64, requests: 30_000, ...item })
  say(`in a sub-organization without siblings: ${few.cpuUs.toFixed(0)} us CPU per activity`)
  let made = 0
  for (const total of [10_000, 100_000]) {
    while (made < total) {
      await Promise.all(Array.from({ length: 100 }, () => subOrganization(service, `sibling ${made++}`)))
    }
    const many = await load(service, { connections: 64, requests: 30_000, ...item })
    say(
      `with ${total} siblings: ${many.cpuUs.toFixed(0)} us (x ${(many.cpuUs / few.cpuUs).toFixed(2)}), ` +
        `${(many.succeeded / many.seconds).toFixed(0)}/s`,
    )
  }
}

async function subOrganization(service: BenchService, name: string) {
  const privateKey = secretOf(name)
  const publicKey = p256PublicKeyOf(privateKey)
  const answer = await service.submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3', {
    subOrganizationName: name,
    rootUsers: [{ userName: 'Root', apiKeys: [{ apiKeyName: 'Key', publicKey }], authenticators: [] }],
    rootQuorumThreshold: 1,
    privateKeys: [
      {
        privateKeyName: 'Key',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  // The result of this activity, as its declaration has it.
  const result = answer.activity.result['createSubOrganizationResultV3'] as {
    readonly subOrganizationId: string
    readonly privateKeys: readonly { readonly privateKeyId: string }[]
  }
  return {
    keys: result.privateKeys.map((key) => key.privateKeyId),
    as: { organizationId: result.subOrganizationId, publicKey, privateKey: privateKey.toString('hex') },
  }
}

async function million(service: BenchService, keys: readonly string[]): Promise<void> {
  for (let round = 1; round <= 20; round++) {
    await load(service, { connections: 64, requests: 50_000, keys })
    if (round % 5 === 0)
      say(`after ${round * 50_000} more activities: ${residentMegabytes(service.pid).toFixed(0)} MB`)
  }
}

function row(figures: readonly number[]): void {
  const widths = [11, 14, 9, 9, 26, 15, 15]
  say(
    figures
      .map((figure, index) =>
        figure.toFixed(index === 2 || index === 3 || index === 5 ? 2 : 0).padStart(widths[index] ?? 8),
      )
      .join(''),
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
