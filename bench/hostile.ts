// What a tenant that asks for all that is dear, as often as the default limits let it, does to a quiet one.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresAvailable, startPostgres } from '../test/support/postgres.ts'
import { present } from '../src/trusted/base/assert.ts'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import type { HostileOrder, HostileReport } from './hostile-tenant.ts'
import { median } from './median.ts'
import { type BenchService, CLAVIGER, secretOf, sendLoad, type Signer, startBenchService } from './service.ts'

const ROUNDS = process.argv.includes('--quick') ? 2 : 5
// Below what one credential may ask by default.
const PER_SECOND = 40
const REQUESTS = 600

await bench('embedded store', {})
if (postgresAvailable() && !process.argv.includes('--embedded')) {
  const postgres = await startPostgres()
  await bench('PostgreSQL', { CLAVIGER_DATABASE_URL: `${postgres.address}/postgres` })
  await postgres.stop()
}

async function bench(title: string, environment: Record<string, string>): Promise<void> {
  let hostile: Signer | undefined
  // A limit of its default value: the others are the defaults too, as in a service that says nothing about them.
  const limits = { CLAVIGER_RATE_LIMITS: 'credential=60' }
  const service = await startBenchService({ ...environment, ...limits }, (env) => {
    hostile = founded('hostile', env)
    const { organizationId, publicKey, privateKey } = founded('quiet', env)
    // The service takes the data for its own by this file, and its bench reads the quiet tenant's key there.
    writeFileSync(
      join(env['CLAVIGER_DATA'] ?? '', 'dev.env'),
      `BASE_URL=\nORGANIZATION_ID=${organizationId}\nAPI_PUBLIC_KEY=${publicKey}\nAPI_PRIVATE_KEY=${privateKey}\n`,
    )
  })
  try {
    await compared(title, service, present(hostile, 'founded before the start'))
  } finally {
    await service.stop()
  }
}

/** A new organization, and the key of its root user. */
function founded(name: string, env: NodeJS.ProcessEnv): Signer {
  const secret = secretOf(name)
  const publicKey = p256PublicKeyOf(secret)
  const args = ['init', '--another', '--organization', name, '--user', 'Root', '--public-key', publicKey]
  const text = execFileSync(process.execPath, [CLAVIGER, ...args], { env, encoding: 'utf8' })
  const organizationId = /^ORGANIZATION_ID=(.*)$/m.exec(text)?.[1] ?? ''
  return { organizationId, publicKey, privateKey: secret.toString('hex') }
}

async function compared(title: string, service: BenchService, hostile: Signer): Promise<void> {
  const keys = await someKeys(service)
  const tenant = fork(fileURLToPath(new URL('./hostile-tenant.ts', import.meta.url)), { stdio: 'inherit' })
  // Its own machine is another one: what it takes to ask is not to be taken from the service.
  setPriority(tenant.pid ?? 0, constants.priority.PRIORITY_LOW)
  tenant.send({ port: service.port, as: hostile } satisfies HostileOrder)
  await once(tenant, 'message')
  const [alone, beside]: [number[], number[]] = [[], []]
  const answers = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await quietP99(service, keys))
    tenant.send('attack')
    beside.push(await quietP99(service, keys))
    for (const [what, count] of Object.entries(await ceased(tenant)))
      answers.set(what, (answers.get(what) ?? 0) + count)
  }
  tenant.kill()
  say(`\n${title}: signing at ${PER_SECOND}/s, p99 of each round`)
  say(`alone: ${shown(alone)} ms; beside the hostile tenant: ${shown(beside)} ms`)
  const [one, other] = [median(alone), median(beside)]
  say(`medians: ${one.toFixed(2)} and ${other.toFixed(2)} ms (x ${(other / one).toFixed(2)})`)
  say('what the hostile tenant was answered:')
  for (const [what, count] of answers) say(`  ${String(count).padStart(6)}  ${what}`)
}

async function ceased(tenant: ChildProcess): Promise<HostileReport> {
  tenant.send('cease')
  // It answers this with its report and nothing else.
  const [report] = (await once(tenant, 'message')) as [HostileReport]
  return report
}

async function quietP99({ root, port }: BenchService, keys: readonly string[]): Promise<number> {
  const report = await sendLoad(
    {
      load: 'signatures',
      port,
      connections: 16,
      requests: REQUESTS,
      perSecond: PER_SECOND,
      as: root,
      signWith: keys,
    },
    { before: () => {} },
  )
  if (report.failed > 0)
    throw new Error(`${report.failed} requests failed: ${report.firstFailure.slice(0, 500)}`)
  return report.p99Ms
}

async function someKeys(service: BenchService): Promise<readonly string[]> {
  const answer = await service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: Array.from({ length: 8 }, (_, at) => ({
      privateKeyName: `Key ${at}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    })),
  })
  // The result of this activity, as its declaration has it.
  const created = answer.activity.result['createPrivateKeysResultV2']?.['privateKeys'] as readonly {
    readonly addresses: readonly { readonly address: string }[]
  }[]
  return created.map((key) => key.addresses[0]?.address ?? '')
}

function shown(figures: readonly number[]): string {
  return figures.map((figure) => figure.toFixed(1)).join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
