// What pending deliveries to slow endpoints do to signing.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import { median } from './median.ts'
import { cpuSeconds } from './processes.ts'
import { type BenchService, secretOf, sendLoad, startBenchService } from './service.ts'

const ENDPOINTS = 100
const PENDING = 2_000
const DELAY_MS = 5_000
const PER_SECOND = 300
const ROUNDS = 6
const REQUESTS = 2_000
const IDLE_MS = 10_000

// Two of them, loaded in turn, so that whatever else this machine does falls on both.
const environment = { CLAVIGER_RATE_LIMITS: 'off' }
const [quiet, busy] = [await startBenchService(environment), await startBenchService(environment)]
const receivers = fork(fileURLToPath(new URL('./slow-receivers.ts', import.meta.url)), [
  String(ENDPOINTS),
  String(DELAY_MS),
])
try {
  const { ports } = await told<{ readonly ports: readonly number[] }>(receivers)
  const [quietKey, busyKey] = [await aKey(quiet), await aKey(busy)]
  await round(quiet, quietKey)
  await round(busy, busyKey)
  await Promise.all(ports.map((port, at) => listener(busy, `listener ${at}`, port)))
  const [before, cpuBefore, quietBefore] = [await waiting(), cpuSeconds(busy.pid), cpuSeconds(quiet.pid)]
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const cpu = cpuSeconds(busy.pid) - cpuBefore - (cpuSeconds(quiet.pid) - quietBefore)
  const carried = before - (await waiting())
  const [quietP99s, busyP99s]: [number[], number[]] = [[], []]
  for (let run = 0; run < ROUNDS; run++) {
    quietP99s.push(await round(quiet, quietKey))
    busyP99s.push(await round(busy, busyKey))
  }
  say(`${before} pending for ${ENDPOINTS} endpoints that take ${DELAY_MS} ms; ${await waiting()} at the end`)
  say(
    `carrying alone: ${(carried / (IDLE_MS / 1000)).toFixed(1)} per second, ${((cpu / carried) * 1e6).toFixed(0)} us CPU each`,
  )
  say(
    `signing at ${PER_SECOND}/s, p99 of each run without: ${shown(quietP99s)} ms; with: ${shown(busyP99s)} ms`,
  )
  const [one, other] = [median(quietP99s), median(busyP99s)]
  say(`medians: ${one.toFixed(2)} and ${other.toFixed(2)} ms (x ${(other / one).toFixed(2)})`)
} finally {
  receivers.kill()
  await Promise.all([quiet.stop(), busy.stop()])
}

/** A sub-organization whose endpoint is at this port, with its share of what is to be pending. */
async function listener(service: BenchService, name: string, port: number): Promise<void> {
  const as = await subOrganization(service, name)
  await service.submit(
    'create_webhook_endpoint',
    'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
    {
      url: `http://127.0.0.1:${port}/`,
      name: 'Slow',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
    },
    as,
  )
  for (let made = 1; made < PENDING / ENDPOINTS; made++)
    await service.submit(
      'update_organization_name',
      'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
      { organizationName: `Name ${made}` },
      as,
    )
}

async function round({ root, port }: BenchService, key: string): Promise<number> {
  const order = {
    load: 'signatures' as const,
    port,
    connections: 64,
    requests: REQUESTS,
    perSecond: PER_SECOND,
    as: root,
    signWith: [key],
  }
  const report = await sendLoad(order, { before: () => {} })
  if (report.failed > 0) throw new Error(report.firstFailure)
  return report.p99Ms
}

async function subOrganization(service: BenchService, name: string) {
  const privateKey = secretOf(name)
  const publicKey = p256PublicKeyOf(privateKey)
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3'
  const answer = await service.submit('create_sub_organization', type, {
    subOrganizationName: name,
    rootUsers: [{ userName: 'Root', apiKeys: [{ apiKeyName: 'Key', publicKey }], authenticators: [] }],
    rootQuorumThreshold: 1,
    privateKeys: [],
  })
  const organizationId = String(
    answer.activity.result['createSubOrganizationResultV3']?.['subOrganizationId'],
  )
  return { organizationId, publicKey, privateKey: privateKey.toString('hex') }
}

async function aKey(service: BenchService): Promise<string> {
  const answer = await service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Bench',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  // The result of this activity, as its declaration has it.
  const keys = answer.activity.result['createPrivateKeysResultV2']?.['privateKeys'] as readonly {
    readonly privateKeyId: string
  }[]
  return keys[0]?.privateKeyId ?? ''
}

async function waiting(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${busy.port}/metrics`)).text()
  return Number(/claviger_deliveries_waiting\{kind="webhook"\} (\d+)/.exec(text)?.[1])
}

async function told<T>(child: ChildProcess): Promise<T> {
  // Our own process sends nothing else.
  const [message] = (await once(child, 'message')) as [T]
  return message
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
