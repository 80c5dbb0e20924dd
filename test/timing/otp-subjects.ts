import assert from 'node:assert/strict'
import { initOtp } from '../../src/trusted/activities/otp/init-otp.ts'
import { verifyOtp } from '../../src/trusted/activities/otp/verify-otp.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { idAt } from '../../src/trusted/base/ids.ts'
import { workAlone } from '../../src/trusted/base/testing/work-alone.ts'
import { finished } from '../../src/trusted/base/work.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { ObjectRow } from '../../src/trusted/catalogue/unit.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { Memory } from '../../src/trusted/vault/memory/memory.ts'
import { openRows } from '../../src/trusted/vault/decision/open-rows.ts'
import { openCharter } from '../../src/trusted/vault/seals/seals.ts'
import { openService } from '../../src/trusted/vault/keys/service-keys.ts'
import type { Costed, DecideRequest, Decision, Vault } from '../../src/protocol/vault.ts'
import { sentMessages } from '../support/messages.ts'
import { aService, type TestService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'
import type { Subject } from './measure.ts'

const CONTACTS = 64
const CODES = 16

/** Requests of two kinds, which must take the same time. */
type Pair = { readonly what: string; readonly kinds: readonly [readonly Asked[], readonly Asked[]] }

/** As the vault answers. */
export type Decided = Awaited<ReturnType<Vault['decide']>>

type Asked = {
  readonly activity: Activity
  readonly type: string
  readonly parameters: object
  readonly row?: ObjectRow
}

/**
 * What must not be told apart by time: of the vault's whole decision, and of the activity alone, where there is less
 * noise.
 */
export async function otpSubjects(): Promise<{
  readonly decisions: readonly Subject<Decided>[]
  readonly executed: readonly Subject[]
  readonly close: () => Promise<void>
}> {
  const service = await aService()
  const pairs = await prepared(service)
  return {
    decisions: await Promise.all(pairs.map((pair) => deciding(service, pair))),
    executed: await Promise.all(pairs.map((pair) => executing(service, pair))),
    close: service.close,
  }
}

async function prepared(service: TestService): Promise<readonly Pair[]> {
  const { root } = service
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' }
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
  const users = Array.from({ length: CONTACTS }, (_, index) => ({
    userName: `User ${index}`,
    userEmail: contactOf('known.', index),
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  await service.done(root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
  const codes = await sentCodes(service)
  const contacts = (what: string): readonly Asked[] =>
    users.map((_, index) => ({
      activity: initOtp,
      type: 'ACTIVITY_TYPE_INIT_OTP_V3',
      parameters: { otpType: 'OTP_TYPE_EMAIL', contact: contactOf(what, index), appName: 'Example' },
    }))
  const tries = (wrong: (code: string) => string): readonly Asked[] =>
    codes.map(({ otpId, code, row }) => ({
      activity: verifyOtp,
      type: 'ACTIVITY_TYPE_VERIFY_OTP',
      parameters: { otpId, otpCode: wrong(code) },
      row,
    }))
  const known = contacts('known.')
  const rightPrefix = tries((code) => code.slice(0, -1) + other(code.at(-1)))
  const wrong = tries((code) => code.split('').map(other).join(''))
  return [
    { what: 'init_otp: a contact of a user, and one of nobody', kinds: [known, contacts('nobody')] },
    {
      what: 'verify_otp: a wrong code, and one that is right but for its last character',
      kinds: [wrong, rightPrefix],
    },
  ]
}

async function deciding(service: TestService, { what, kinds }: Pair): Promise<Subject<Decided>> {
  const { store, world, root, organizationId, vault } = service
  const charter = present(await store.charter(organizationId), 'the charter')
  let ahead = 0
  const requestOf = ({ type, parameters, row }: Asked): DecideRequest => {
    const timestampMs = String(world.now() + ahead++)
    const body = JSON.stringify({ type, timestampMs, organizationId, parameters })
    const { stampHeaderValue } = stampWith(root.key, body)
    const rows = { contact: row === undefined ? [] : [row], requests: [] }
    return { body, stamp: { xStamp: stampHeaderValue }, charters: [charter], rows, taken: {} }
  }
  const requests = [kinds[0].map(requestOf), kinds[1].map(requestOf)] as const
  for (const request of requests.flat()) {
    const decision = await vault.decide(request)
    // It got as far as it is meant to get.
    const isWritten = decision.kind === 'commit' && decision.unit.objects.put[0]?.kind === 'otp_contact'
    assert.ok(isWritten, JSON.stringify(decision))
    vault.settled({ committed: [], dropped: [decision.ticket], unknown: [] })
  }
  const run = async (kind: 0 | 1, index: number): Promise<Costed<Decision>> => {
    const decision = await vault.decide(nth(requests[kind], index))
    // Or the next try of the same code would have to wait for what became of this one.
    if (decision.kind === 'commit') vault.settled({ committed: [], dropped: [decision.ticket], unknown: [] })
    return decision
  }
  return { what: `${what} (decided)`, run }
}

async function executing(service: TestService, { what, kinds }: Pair): Promise<Subject> {
  const { store, world, root, organizationId } = service
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const charter = openCharter(keyring, present(await store.charter(organizationId), 'the charter'))
  const { now, randomBytes } = world
  const fixed = {
    charter,
    parent: undefined,
    verified: undefined,
    prepared: undefined,
    requester: { userId: root.userId, organizationId, credentialType: '', credentialId: '' },
    now: now(),
    waitedSince: undefined,
    work: workAlone(),
    newId: () => idAt(now(), randomBytes),
    randomBytes,
    service: openService(keyring),
  }
  const executionOf = ({ activity, type, parameters, row }: Asked) => {
    const form = present(
      activity.forms.find((item) => item.type === type),
      'the form',
    )
    const intent = form.up(form.intent.read(parameters, '', 'lenient'))
    const needs = activity.needs?.(intent, undefined) ?? {}
    const brought = {
      rows: { contact: row === undefined ? [] : [row], requests: [] },
      taken: {},
      now: fixed.now,
    }
    const { gathered: rows } = finished(
      openRows({ keyring, memory: new Memory(world) }, organizationId, needs, brought),
    )
    return { activity, execution: { ...fixed, intent, rows } }
  }
  const executions = [kinds[0].map(executionOf), kinds[1].map(executionOf)] as const
  return {
    what: `${what} (executed)`,
    run: async (kind, index) => {
      const { activity, execution } = nth(executions[kind], index)
      return activity.execute(execution)
    },
  }
}

function nth<T>(list: readonly T[], index: number): T {
  return present(list[index % list.length], 'something that was prepared')
}

/** Of one length for either kind. */
function contactOf(what: string, index: number): string {
  return `${what}${String(index).padStart(3, '0')}@example.com`
}

function other(digit: string | undefined): string {
  return digit === '1' ? '2' : '1'
}

async function sentCodes(service: TestService) {
  const contact = { otpType: 'OTP_TYPE_EMAIL', emailCustomization: {}, alphanumeric: false }
  const sent = []
  for (let index = 0; index < CODES; index++) {
    const { otpId } = await service.done(service.root, 'ACTIVITY_TYPE_INIT_OTP', {
      ...contact,
      contact: contactOf('verify', index),
    })
    const { code } = present((await sentMessages(service))[0], 'the message')
    const key = { scope: service.organizationId, kind: 'OTP', value: String(otpId) }
    const [id] = await service.store.find(key, { limit: 1 })
    const ids = [present(id, 'the row of the code')]
    const [row] = await service.store.objects(service.organizationId, 'otp_contact', ids)
    sent.push({ otpId, code: present(code, 'the code'), row: present(row, 'the row of the code') })
  }
  return sent
}
