import type { Answered } from '../../service/answered.ts'

/** A recovery that people with shares have begun, as the service tells it. */
export type Attempt = {
  /** Who would become root users. */
  readonly names: readonly string[]
  /** In milliseconds since 1970. */
  readonly begunAt: number
  /** Until these people may become root users; not a number where the service does not say. */
  readonly hoursLeft: number
}

const SET = 'FEATURE_NAME_ORGANIZATION_RECOVERY'
const ATTEMPT = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'

/** Undefined for one that cannot be read, which is under way all the same. */
export function attemptIn(configs: Answered): Attempt | undefined {
  const [attempt, set] = [ATTEMPT, SET].map((name) => valueOf(configs, name))
  const users: unknown = memberOf(attempt, 'users')
  const [begunAt, heartbeats] = ['begunAt', 'heartbeats'].map((name) => memberOf(attempt, name))
  if (!Array.isArray(users) || typeof begunAt !== 'number' || typeof heartbeats !== 'number') return undefined
  const names = users.map((user: unknown) => memberOf(user, 'userName'))
  if (!names.every((name) => typeof name === 'string')) return undefined
  const delay = memberOf(set, 'delayHours')
  return {
    names,
    begunAt,
    hoursLeft: typeof delay === 'number' ? Math.max(0, delay - heartbeats) : Number.NaN,
  }
}

function valueOf(configs: Answered, name: string): unknown {
  const found = configs.list('serviceFeatures').find((feature) => feature.text('name') === name)
  try {
    return JSON.parse(found?.textOrNone('value') ?? '')
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
