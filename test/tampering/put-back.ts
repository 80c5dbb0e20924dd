import assert from 'node:assert/strict'
import { Bug, present } from '../../src/trusted/base/assert.ts'
import { sentMessages } from '../support/messages.ts'
import { codeIn } from '../support/otp-setting.ts'
import type { JsonAnswer } from '../support/service.ts'
import type { Database } from './database.ts'
import { type Outcome, sentBy, type Sent, type Service } from './harness.ts'
import { done, type Person, submission } from './populated.ts'

// What tests ask of a service whose database somebody writes to, and what they find there.

export function asked(by: Person, operation: string, body: object = {}): Sent {
  return sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId, ...body })
}

/** It is said to the operator, and to nobody else. */
export function assertPutBack({ status, text, bug }: Outcome, what: RegExp): void {
  assert.equal(status, 500, text)
  assert.ok(bug instanceof Bug, String(bug))
  assert.match(bug.message, /^stored data is older than the vault has seen it/)
  assert.match(bug.message, what)
}

export async function approved(service: Service, by: Person, fingerprint: string): Promise<void> {
  const outcome = await service.send(submission(service.world, by, 'APPROVE_ACTIVITY', { fingerprint }))
  assert.equal(activityIn(outcome).status, 'ACTIVITY_STATUS_COMPLETED')
}

export function activityIn({ status, text, bug }: Outcome): JsonAnswer {
  assert.equal(status, 200, `${text} ${String(bug)}`)
  // As the service answers it.
  return (JSON.parse(text) as JsonAnswer).activity
}

export async function charterOf({ rows }: Database, { organizationId }: Person) {
  return await rows('SELECT * FROM charters WHERE organization_id = $1', organizationId)
}

export async function recordOf({ rows }: Database, fingerprint: string) {
  return await rows('SELECT * FROM activities WHERE fingerprint = $1', fingerprint)
}

export async function rowsOf({ rows }: Database, kind: string) {
  return await rows('SELECT * FROM objects WHERE kind = $1', kind)
}

export async function aCode(database: Database, root: Person) {
  const { service } = database
  const name = 'FEATURE_NAME_OTP_EMAIL_AUTH'
  await done(service, root, 'SET_ORGANIZATION_FEATURE', { name, value: '' })
  const { activity } = JSON.parse((await service.send(codeRequest(service, root))).text) as JsonAnswer
  const messages = await sentMessages({ store: database.store(), vault: service.vault, world: service.world })
  return {
    otpId: String(activity.result.initOtpResult.otpId),
    code: codeIn(present(messages.at(-1), 'a message')),
  }
}

export function codeRequest({ world }: Service, root: Person): Sent {
  const contact = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }
  return submission(world, root, 'INIT_OTP', { ...contact, emailCustomization: { appName: 'Example' } })
}
