import { jsonIn } from '../../../../trusted/base/json-in.ts'
import { isPlain, list, openRecord, optional, text } from '../../../../trusted/base/plain.ts'
import {
  RECOVERY_ATTEMPT_FEATURE,
  newRootUsersProblem,
} from '../../../../trusted/charter/organization-recovery.ts'
import type { Config } from '../../../app/config.ts'
import { type Out, say, sayJson } from '../../root-key/say.ts'
import { ServiceError } from '../../signed-query.ts'
import type { SubmittedActivity } from '../../signed-activity.ts'
import { UsageError } from '../../usage.ts'
import { sendStep } from './send-step.ts'
import type { ExitCode } from '../../exit-codes.ts'

type Wanted = {
  readonly path: string
  readonly url: string | undefined
  readonly users: readonly string[]
}

/** Begins to add root users, whose names and public keys are given as `NAME=HEX`. */
export async function beginRecovery(
  config: Config,
  wanted: Wanted,
  out: Out,
): Promise<ExitCode<'recovery begin'>> {
  const users = wanted.users.map(readUser)
  const problem = newRootUsersProblem(JSON.stringify({ users }))
  if (problem !== undefined) throw new UsageError(`--user NAME=PUBLIC_KEY names a new root user: ${problem}`)
  const { organizationId, delayHours, activity } = await sendStep(config, { ...wanted, step: { users } })
  const attemptId = attemptIn(activity)
  sayJson(out, { organizationId, attemptId, delayHours, users })
  say(out, [
    `Attempt ${attemptId} has begun: ${users.map(({ userName }) => userName).join(', ')} can become root users of`,
    `${organizationId} in ${delayHours} hours. Its root users are told now and each day, and any of them can stop it.`,
    `Within a week after that: claviger recovery complete --set ${wanted.path} --attempt ${attemptId}`,
  ])
  return 0
}

function readUser(given: string): { readonly userName: string; readonly publicKey: string } {
  const at = given.lastIndexOf('=')
  return { userName: given.slice(0, Math.max(at, 0)), publicKey: given.slice(at + 1).toLowerCase() }
}

const result = openRecord({
  setOrganizationFeatureResult: openRecord({
    serviceFeatures: list(openRecord({ name: text(100), value: optional(text(10_000)) }), 100),
  }),
})
const attempt = openRecord({ attemptId: text(100) })

function attemptIn({ result: told }: SubmittedActivity): string {
  const features = isPlain(result, told) ? told.setOrganizationFeatureResult.serviceFeatures : []
  const value = features.find(({ name }) => name === RECOVERY_ATTEMPT_FEATURE)?.value
  const found = jsonIn(value ?? '')
  if (isPlain(attempt, found)) return found.attemptId
  throw new ServiceError('the attempt has begun, and the service does not say which it is')
}
