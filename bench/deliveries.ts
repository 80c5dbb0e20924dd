// node bench/deliveries.ts [endpoints] [pending] [delay in ms]: what pending deliveries to slow endpoints do to signing.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { p256PublicKeyOf } from '../src/crypto/p256.ts'
import { secretOf, sendLoad, startBenchService } from './service.ts'

const [endpoints = 100, pending = 2_000, delayMs = 5_000] = process.argv.slice(2).map(Number)
const PER_SECOND = 500
const ROUNDS = 5

const service = await startBenchService({ CLAVIGER_RATE_LIMITS: 'off' })
const receivers = fork(fileURLToPath(new URL('./slow-receivers.ts', import.meta.url)), [
  String(endpoints),
  String(delayMs),
])
try {
  const { ports } = await told<{ readonly ports: readonly number[] }>(receivers)
  const organizations = await Promise.all(ports.map((_, at) => subOrganization(`listener ${at}`)))
  const signWith = await aKey()
  await round(signWith)
  const quiet: number[] = []
  for (let run = 0; run < ROUNDS; run++) quiet.push(await round(signWith))

  await Promise.all(
    organizations.map(async (as, at) => {
      await service.submit(
        'create_webhook_endpoint',
        'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
        {
          url: `http://127.0.0.1:${ports[at]}/`,
          name: 'Slow',
          subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
        },
        as,
      )
      for (let made = 1; made < pending / endpoints; made++)
        await service.submit(
          'update_organization_name',
          'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
          { organizationName: `Name ${made}` },
          as,
        )
    }),
  )
  const before = await waiting()
  const busy: number[] = []
  for (let run = 0; run < ROUNDS; run++) busy.push(await round(signWith))
  const after = await waiting()
  receivers.send('how many')
  const { answered } = await told<{ readonly answered: number }>(receivers)
  const [quietP99, busyP99] = [median(quiet), median(busy)]
  say(`signing at ${PER_SECOND}/s, p99 of each run without deliveries: ${shown(quiet)} ms`)
  say(`with ${before} to ${after} pending for ${endpoints} endpoints of ${delayMs} ms: ${shown(busy)} ms`)
  say(
    `medians: ${quietP99.toFixed(2)} and ${busyP99.toFixed(2)} ms (x ${(busyP99 / quietP99).toFixed(2)}); ${answered} delivered`,
  )
} finally {
  receivers.kill()
  await service.stop()
}

async function round(key: string): Promise<number> {
  const { settings, port } = service
  const order = {
    port,
    connections: 64,
    requests: 4_000,
    perSecond: PER_SECOND,
    organizationId: settings['ORGANIZATION_ID'] ?? '',
    apiPublicKey: settings['API_PUBLIC_KEY'] ?? '',
    apiPrivateKey: settings['API_PRIVATE_KEY'] ?? '',
    signWith: [key],
  }
  const report = await sendLoad(order, { before: () => {} })
  if (report.failed > 0) throw new Error(report.firstFailure)
  return report.p99Ms
}

async function subOrganization(name: string) {
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

async function aKey(): Promise<string> {
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
  const text = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text()
  return Number(/claviger_deliveries_waiting\{kind="webhook"\} (\d+)/.exec(text)?.[1])
}

async function told<T>(child: ChildProcess): Promise<T> {
  // Our own process sends nothing else.
  const [message] = (await once(child, 'message')) as [T]
  return message
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
