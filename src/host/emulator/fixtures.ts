import { present } from '../../trusted/base/assert.ts'
import type { Answered, EmulatedUser } from './emulated-user.ts'
import { invalidFixtures } from './failures.ts'

/**
 * The objects that are made before the emulator accepts requests: users with keys of their own, and activities in their
 * names.
 */
export type Fixtures = { readonly steps: readonly FixtureStep[] }

/**
 * `{{name.field}}` in a text of the parameters stands for a part of an earlier result: `{{Ada.userId}}`,
 * `{{treasury.addresses.0}}`.
 */
type FixtureStep =
  | { readonly user: string }
  | {
      readonly activity: string
      readonly parameters: object
      /** The name of a user of an earlier step, or `root`, which is the default. */
      readonly as?: string
      /** The name of the result. */
      readonly name?: string
    }

const STEPS_MAX = 10_000

/** @returns  the results by their names @throws Failure `invalidFixtures` */
export async function makeFixtures(
  fixtures: Fixtures,
  means: {
    readonly root: EmulatedUser
    readonly newUser: (userName: string) => Promise<EmulatedUser>
    readonly isOperation: (name: string) => boolean
  },
): Promise<{ readonly [name: string]: unknown }> {
  const users = new Map([['root', means.root]])
  const results = new Map<string, unknown>()
  for (const [at, step] of stepsIn(fixtures).entries()) {
    const where = `step ${at + 1}`
    if ('user' in step) {
      checkName(step.user, where, [...users.keys(), ...results.keys()])
      users.set(step.user, await means.newUser(step.user))
      continue
    }
    const { activity, parameters, as = 'root', name } = step
    const by = users.get(as)
    if (by === undefined) throw invalidFixtures({ why: `${where}: there is no user ${quoted(as)} before it` })
    if (!means.isOperation(activity))
      throw invalidFixtures({ why: `${where}: there is no activity ${quoted(activity)}` })
    if (name !== undefined) checkName(name, where, [...users.keys(), ...results.keys()])
    const known = new Map([...users, ...results])
    const result = resultOf(
      await by.submit(activity, filled(parameters, known, where)),
      `${where} (${activity})`,
    )
    if (name !== undefined) results.set(name, result)
  }
  return Object.fromEntries(results)
}

/** It may come from a file. */
function stepsIn(sent: unknown): readonly FixtureStep[] {
  const steps = isObject(sent) && Object.keys(sent).length === 1 ? sent['steps'] : undefined
  if (!Array.isArray(steps) || steps.length > STEPS_MAX)
    throw invalidFixtures({ why: `they are {"steps": […]} with at most ${STEPS_MAX} steps` })
  return steps.map((step: unknown, at) => stepIn(step, `step ${at + 1}`))
}

function stepIn(step: unknown, where: string): FixtureStep {
  if (isObject(step)) {
    const { user, activity, parameters, as = 'root', name, ...more } = step
    const isPlain = Object.keys(more).length === 0
    if (isPlain && typeof user === 'string' && Object.keys(step).length === 1) return { user }
    if (
      isPlain &&
      typeof activity === 'string' &&
      isObject(parameters) &&
      typeof as === 'string' &&
      user === undefined
    )
      if (name === undefined || typeof name === 'string')
        return { activity, parameters, as, ...(name === undefined ? {} : { name }) }
  }
  throw invalidFixtures({
    why: `${where} is neither {"user"} nor {"activity", "parameters", "as", "name"}, of which the last two may be left out`,
  })
}

function checkName(name: string, where: string, taken: readonly string[]): void {
  if (!/^[A-Za-z][\w -]{0,63}$/.test(name))
    throw invalidFixtures({ why: `${where}: ${quoted(name)} is not a name; a name begins with a letter` })
  if (taken.includes(name)) throw invalidFixtures({ why: `${where}: the name ${quoted(name)} is taken` })
}

function resultOf({ status, json }: Answered, where: string): unknown {
  if (status !== 200) throw invalidFixtures({ why: `${where}: ${String(json?.message).slice(0, 500)}` })
  if (json.activity.status !== 'ACTIVITY_STATUS_COMPLETED')
    throw invalidFixtures({ why: `${where}: it came out as ${String(json.activity.status)}` })
  const results = Object.entries(json.activity.result).filter(([name]) => name !== 'activity')
  return results[0]?.[1] ?? {}
}

type Known = ReadonlyMap<string, unknown>

function filled(parameters: object, known: Known, where: string): object {
  // Filling in an object gives an object.
  return fill(parameters, known, where) as object
}

function fill(value: unknown, known: Known, where: string): unknown {
  if (typeof value === 'string') return fillText(value, known, where)
  if (Array.isArray(value)) return value.map((item) => fill(item, known, where))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, known, where)]))
}

function fillText(text: string, known: Known, where: string): unknown {
  const whole = /^\{\{([^{}]+)\}\}$/.exec(text)
  if (whole !== null) return partOf(present(whole[1], 'what the braces hold'), known, where)
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (_, path: string) => String(partOf(path, known, where)))
}

function partOf(path: string, known: Known, where: string): unknown {
  const [name = '', ...fields] = path.trim().split('.')
  let value = known.get(name)
  for (const field of fields)
    value =
      (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, field)
        ? Reflect.get(value, field)
        : undefined
  if (value === undefined || typeof value === 'function')
    throw invalidFixtures({ why: `${where}: nothing before it has made ${quoted(path)}` })
  return value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}
