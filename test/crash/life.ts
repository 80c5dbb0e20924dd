import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { present } from '../../src/trusted/base/assert.ts'
import { type Seeded, seeded } from '../support/seeded.ts'
import { type StampKey, stampKeyFrom } from '../support/stamper.ts'
import { checkAfterRestart } from './after-restart.ts'
import { audit, countsOf } from './audit.ts'
import { connect, type Connection, type Entry, entryOf } from './ledger.ts'
import { loadUntilGone, type People } from './load.ts'
import { type Point, points } from './points.ts'
import { type ServiceProcess, type StartOf, startProcess } from './service-process.ts'

const FROM_OUTSIDE = 3

/** How many places a life is ended at before any comes again. */
export const PLACES = points.length + FROM_OUTSIDE

export type Life = {
  readonly kills: number
  readonly requests: number
  readonly slowestStartMs: number
  /** Answers that should not have come, with what was asked. */
  readonly unexpected: readonly string[]
}

/**
 * One data folder from its first start, through so many kills, to the audit of what it holds. Where and when it is killed
 * follows from the seed; what the machine makes of it does not.
 */
export async function liveThrough(of: {
  readonly kills: number
  readonly seed: string
  readonly databaseUrl?: string
  readonly onKill?: () => void
}): Promise<Life> {
  const { databaseUrl, kills, seed } = of
  const dataFolder = mkdtempSync(join(tmpdir(), 'claviger-crash-'))
  const environment = { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  const random = seeded(seed)
  try {
    const people = await prepare(environment, random)
    const data = { ...environment, organizationId: people.organizationId }
    const before = await countsOf(data)
    const ledger: Entry[] = []
    const unexpected: string[] = []
    const report = (answer: string): void => void unexpected.push(answer)
    let checked = 0
    let slowestStartMs = 0
    const next = starts(random)
    for (let kill = 0; kill < kills; kill++) {
      const start = next.next().value
      const service = await startProcess(start, environment)
      slowestStartMs = Math.max(slowestStartMs, service.startedInMs)
      checked = await round(service, start, { people, ledger, random, checked, report })
      of.onKill?.()
    }
    const last = await startProcess({ kind: 'command', command: 'serve' }, environment)
    await through(last.url, async (to) => assert.ok(await checkAfterRestart(to, ledger)))
    process.kill(last.pid, 'SIGTERM')
    assert.equal(await last.ended, 0, 'a service that is told to stop drains and ends well')
    await audit({ ...data, before, ledger })
    return { kills, requests: ledger.length, slowestStartMs, unexpected }
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error })
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

type Going = {
  readonly people: People
  readonly ledger: Entry[]
  readonly random: Seeded
  /** How many entries of the ledger have been seen to be answered the same after a restart. */
  readonly checked: number
  readonly report: (unexpected: string) => void
}

/** From a start to a kill; what the last kill may have left undone is checked first. */
async function round(service: ServiceProcess, start: StartOf, going: Going): Promise<number> {
  const { people, ledger, random, report } = going
  const isRunning = service.isRunning
  const seen = ledger.length
  const checked = await through(service.url, async (to) => {
    // A point may be passed while this goes on: then the next round begins here again.
    const isChecked = await checkAfterRestart(to, ledger.slice(going.checked))
    const timer = start.kind === 'point' ? undefined : setTimeout(() => killHost(service), random.below(60))
    if (isChecked) await loadUntilGone(to, people, ledger, { random, isRunning, report })
    clearTimeout(timer)
    return isChecked ? seen : going.checked
  })
  const code = await service.ended
  const expected = start.kind === 'point' && start.point.startsWith('vault') ? 1 : null
  assert.equal(code, expected, 'a host ends itself when its vault is gone, and only then')
  return checked
}

function killHost(service: ServiceProcess): void {
  if (service.isRunning()) process.kill(service.pid, 'SIGKILL')
}

/** Every point, where it is passed up to the fortieth time, and three kills from outside; in an order drawn anew each time around. */
function* starts(random: Seeded): Generator<StartOf, never> {
  for (;;) {
    const waiting: (Point | undefined)[] = [
      ...points,
      ...Array.from({ length: FROM_OUTSIDE }, () => undefined),
    ]
    while (waiting.length > 0) {
      const [point] = waiting.splice(random.below(waiting.length), 1)
      yield point === undefined
        ? { kind: 'command', command: 'serve' }
        : { kind: 'point', point, count: 1 + random.below(40) }
    }
  }
}

async function through<T>(url: string, use: (to: Connection) => Promise<T>): Promise<T> {
  const to = connect(url)
  try {
    return await use(to)
  } finally {
    to.close()
  }
}

/** Started once for development, so that there is a root user; then two more, a policy that asks for both of them, and a key. */
async function prepare(
  environment: { readonly dataFolder: string; readonly databaseUrl?: string },
  random: Seeded,
): Promise<People> {
  const service = await startProcess({ kind: 'command', command: 'dev' }, environment)
  const settings = new Map(
    readFileSync(join(environment.dataFolder, 'dev.env'), 'utf8')
      .split('\n')
      .map((line) => [line.split('=')[0], line.split('=')[1]] as const),
  )
  // `serve` refuses a folder in which the key of its root user lies.
  rmSync(join(environment.dataFolder, 'dev.env'))
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256'
  const root: StampKey = {
    scheme,
    privateKey: Buffer.from(settings.get('API_PRIVATE_KEY') ?? '', 'hex'),
    publicKey: settings.get('API_PUBLIC_KEY') ?? '',
  }
  const organizationId = settings.get('ORGANIZATION_ID') ?? ''
  const [proposer, approver] = [stampKeyFrom(scheme, random.bytes), stampKeyFrom(scheme, random.bytes)]
  const users = [proposer, approver].map(({ publicKey }, at) => ({
    userName: `User ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  const policy = {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  }
  const privateKey = {
    privateKeyName: 'Signer',
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: [],
  }
  const privateKeyId = await through(service.url, async (to) => {
    const done = async (type: string, parameters: object) => {
      const answer = await to.post(entryOf({ kind: 'key', key: root, organizationId, type, parameters }))
      // An activity as the service answers it.
      return JSON.parse(present(answer, 'an answer')) as {
        activity: { result: { createPrivateKeysResultV2: { privateKeys: { privateKeyId: string }[] } } }
      }
    }
    await done('ACTIVITY_TYPE_CREATE_USERS_V3', { users })
    await done('ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
    await done('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
    const made = await done('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [privateKey] })
    return present(made.activity.result.createPrivateKeysResultV2.privateKeys[0], 'a key').privateKeyId
  })
  process.kill(service.pid, 'SIGTERM')
  await service.ended
  return { organizationId, root, proposer, approver, privateKeyId }
}
