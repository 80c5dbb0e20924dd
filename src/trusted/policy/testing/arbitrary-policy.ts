import fc from 'fast-check'
import type { PolicyEffect } from '../compile-policy.ts'
import { print } from '../print.ts'
import { anyExpression } from './arbitrary.ts'

export type WrittenPolicy = {
  readonly effect: PolicyEffect
  readonly condition: string | undefined
  readonly consensus: string | undefined
  readonly time: string | undefined
}

/** Around which the times of generated policies turn: the nights in which clocks in Berlin are put forward and back. */
export const NIGHTS: readonly number[] = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)]

/** A consensus of the members in `members.ts`. */
export const anyConsensus: fc.Arbitrary<string> = combined(people())

/** A time around these nights. */
export const anyPolicyTime: fc.Arbitrary<string> = combined(times())

/** A policy over the sample vocabulary; most leave something out. */
export const anyPolicy: fc.Arbitrary<WrittenPolicy> = fc.record({
  effect: fc.constantFrom('EFFECT_ALLOW', 'EFFECT_DENY'),
  condition: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(undefined, 'true') },
    { weight: 5, arbitrary: anyExpression.map(print) },
  ),
  consensus: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: anyConsensus },
  ),
  time: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(undefined, '') },
    { weight: 1, arbitrary: anyPolicyTime },
  ),
})

function combined(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: part },
    { weight: 1, arbitrary: part.map((item) => `!(${item})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(part, fc.constantFrom('&&', '||'), part)
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    },
  )
}

/** Of the members in `members.ts`. */
function people(): fc.Arbitrary<string> {
  const id = fc.constantFrom('A', 'B', 'C', 'Z').map((name) => `'${name}'`)
  const tag = fc.constantFrom("'ops'", "'sec'")
  const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
  const number = fc.nat({ max: 3 })
  const type = fc.constantFrom("'CREDENTIAL_TYPE_API_KEY_P256'", "'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'")
  return fc.oneof(
    fc.constantFrom('true', 'false'),
    id.map((name) => `approvers.any(u, u.id == ${name})`),
    tag.map((name) => `approvers.all(u, u.tags.contains(${name}))`),
    fc
      .tuple(tag, operator, number)
      .map(([name, compares, to]) => `approvers.filter(u, ${name} in u.tags).count() ${compares} ${to}`),
    fc.tuple(operator, number).map(([compares, to]) => `approvers.count() ${compares} ${to}`),
    type.map((name) => `credentials.any(c, c.type == ${name} && c.user_id != '')`),
    fc.tuple(number, id).map(([at, name]) => `approvers[${at}].id == ${name}`),
    fc
      .tuple(id, id)
      .map(([one, other]) => `approvers.any(u, u.id == ${one}) && approvers.any(u, u.id == ${other})`),
    fc.constant("approvers.any(u, CaseInsensitiveString(u.email) == 'a@x.io' || u.alias == 'B')"),
  )
}

function times(): fc.Arbitrary<string> {
  const hour = fc
    .tuple(fc.constantFrom(...NIGHTS), fc.integer({ min: -30, max: 30 }))
    .map(([night, hours]) => night + hours * 3_600_000)
  const timestamp = hour.map((ms) => `Timestamp('${new Date(ms).toISOString()}')`)
  const values = (min: number, max: number): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('*') },
      {
        weight: 3,
        arbitrary: fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map(String),
      },
      { weight: 1, arbitrary: fc.integer({ min, max }).map((from) => `${from}-${max}`) },
    )
  const day = fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: values(23, 29) })
  const weekday = fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: values(0, 6) })
  const month = fc.constantFrom('*', '*', '3-10', '4,11')
  const cron = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(values(0, 59), fc.oneof(values(0, 23), values(1, 4)), day, month, weekday)
        .map((fields) => fields.join(' ')),
    },
    { weight: 1, arbitrary: fc.constant('0 0 30 2 *') },
  )
  const length = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 180 }).map((minutes) => `${minutes}m`) },
    { weight: 1, arbitrary: fc.constantFrom('12h', '1d6h') },
  )
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Sao_Paulo')
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('==', '<', '>='), timestamp)
      .map(([compares, to]) => `time.now ${compares} ${to}`),
    fc
      .tuple(cron, length, zone)
      .map(([schedule, long, where]) => `CronSpan('${schedule}', '${long}', '${where}')`),
  )
}
