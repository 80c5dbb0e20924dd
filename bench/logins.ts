// Codes asked for, verified and used to log in, on the embedded store.
import { mailSink } from '../src/host/delivery/testing/mail-sink.ts'
import { present } from '../src/trusted/base/assert.ts'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import type { SentCode } from './load-logins.ts'
import { cpuSeconds } from './processes.ts'
import { rawCryptoMicroseconds } from './raw-limits.ts'
import { type BenchService, secretOf, sendLoad, startBenchService } from './service.ts'

// Two codes to each: three may wait at once.
const PEOPLE = 5_000
const LOGINS = 10_000
const PER_SECOND = 500
const AT_ONCE = 64

const sink = await mailSink()
const service = await startBenchService({
  CLAVIGER_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  CLAVIGER_MAIL_FROM: 'Claviger <bench@example.com>',
})
try {
  await service.submit('set_organization_feature', 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  const people = await many(PEOPLE, (index) => subOrganization(service, index))
  // The first load warms the service up.
  for (const perSecond of [undefined, PER_SECOND]) await logins(people, perSecond)
} finally {
  await service.stop()
  await sink.stop()
}

async function logins(people: readonly string[], perSecond?: number): Promise<void> {
  const codes = await sentCodes(people)
  const keys = await fetch(`http://127.0.0.1:${service.port}/public/v1/discovery/keys`)
  const order = {
    load: 'logins' as const,
    port: service.port,
    connections: AT_ONCE,
    ...(perSecond === undefined ? {} : { perSecond }),
    as: service.root,
    // What the service publishes about itself.
    targetSigner: ((await keys.json()) as { readonly otp: string }).otp,
    codes,
  }
  const { verify, sign } = rawCryptoMicroseconds({ calls: 1_000, slices: 3 })
  let cpuBefore = 0
  const report = await sendLoad(order, {
    before: () => {
      cpuBefore = cpuSeconds(service.pid)
    },
  })
  if (report.failed > 0) throw new Error(`${report.failed} logins failed: ${report.firstFailure}`)
  const cpu = ((cpuSeconds(service.pid) - cpuBefore) / report.succeeded) * 1e6
  say(
    `${report.succeeded} logins ${perSecond === undefined ? 'as fast as they go' : `offered at ${perSecond}/s`}: ` +
      `${(report.succeeded / report.seconds).toFixed(0)}/s, p50 ${report.p50Ms.toFixed(1)} ms, ` +
      `p99 ${report.p99Ms.toFixed(1)} ms, ${cpu.toFixed(0)} us CPU each, ` +
      `${(cpu / (verify + sign)).toFixed(1)} x raw crypto of ${(verify + sign).toFixed(0)} us`,
  )
}

/** As many codes as logins, in the sub-organizations of these people in turn. */
async function sentCodes(people: readonly string[]): Promise<readonly SentCode[]> {
  const before = sink.taken.length
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(service.pid)]
  const codes = await many(LOGINS, async (index) => {
    const person = index % PEOPLE
    const answer = await service.submit('init_otp', 'ACTIVITY_TYPE_INIT_OTP_V3', {
      otpType: 'OTP_TYPE_EMAIL',
      contact: addressOf(person),
      appName: `Run ${index}`,
    })
    const result = answer.activity.result['initOtpResultV2']
    return {
      otpId: String(result?.['otpId']),
      targetBundle: String(result?.['otpEncryptionTargetBundle']),
      organizationId: present(people[person], 'their organization'),
      subject: `Run ${index}`,
    }
  })
  const askedAt = performance.now()
  const seconds = (askedAt - startedAt) / 1000
  while (sink.taken.length < before + LOGINS) await new Promise((resolve) => setTimeout(resolve, 10))
  say(
    `${LOGINS} codes asked for: ${(LOGINS / seconds).toFixed(0)}/s, ${(((cpuSeconds(service.pid) - cpuBefore) / LOGINS) * 1e6).toFixed(0)} us CPU each, mails included; ` +
      `the last was mailed ${((performance.now() - askedAt) / 1000).toFixed(1)} s later`,
  )
  const sent = new Map(
    sink.taken.slice(before).map(({ raw }) => [/Run \d+/.exec(raw)?.[0], /^[0-9A-Z]{6,9}$/m.exec(raw)?.[0]]),
  )
  return codes.map(({ subject, ...rest }) => ({ ...rest, code: present(sent.get(subject), 'a mail') }))
}

async function subOrganization(of: BenchService, person: number): Promise<string> {
  const publicKey = p256PublicKeyOf(secretOf(`person ${person}`))
  const answer = await of.submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: `Person ${person}`,
    rootUsers: [
      {
        userName: 'Root',
        userEmail: addressOf(person),
        apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  })
  return String(answer.activity.result['createSubOrganizationResultV7']?.['subOrganizationId'])
}

function addressOf(person: number): string {
  return `person-${person}@example.com`
}

/** The results of tasks in their order, some of which run at once. */
async function many<T>(count: number, task: (index: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await task(index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
