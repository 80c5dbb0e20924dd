import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { JsonAnswer } from '../support/service.ts'
import { newestOf } from './newest.ts'
import { onlyFieldsOf } from './older-fields.ts'
import { type Ids, thingsById } from './things-by-id.ts'
import type { Prepared, Setting, Fixture } from './fixture.ts'

const root = new URL('../../', import.meta.url)

/** The fixtures that stand beside activities and queries, by operation. */
export const fixtures = await besideDeclarations('fixture')

/** What stands in `testing/<operation>.<what>.ts` beside activities and queries, under its name, by operation. */
export async function besideDeclarations(what: 'fixture' | 'dearest'): Promise<ReadonlyMap<string, Fixture>> {
  const paths = globSync(`src/{trusted/activities,host/queries}/*/testing/*.${what}.ts`, { cwd: root })
  const found = await Promise.all(
    paths.map(async (path): Promise<[string, Fixture]> => {
      // The file exports a fixture under this name.
      const file = (await import(new URL(path, root).href)) as { readonly [name in typeof what]?: Fixture }
      return [basename(path, `.${what}.ts`).replaceAll('-', '_'), present(file[what], `${what} in ${path}`)]
    }),
  )
  return new Map(found)
}

/** Makes everything that the activity's example needs, in the organization of this root user. */
export async function prepared({ service, by }: In, activity: Activity): Promise<Required<Prepared>> {
  const setting = { service, by, example: activity.example.intent }
  const fixture = fixtures.get(activity.operation) ?? withIds
  const { by: asker = by, parameters, older = {} } = await fixture(setting)
  const derived = activity.forms
    .filter((form) => form !== newestOf(activity))
    .map(({ type, intent }) => [type, onlyFieldsOf(intent.schema, parameters)])
  return { by: asker, parameters, older: { ...Object.fromEntries(derived), ...older } }
}

/** The example, with the id of something of this organization wherever one stands in it. */
export const withIds: Fixture = async (setting) => ({
  parameters: await inPlace(setting.example, idsIn(setting)),
})

export async function inPlace(value: JsonAnswer, idOf: Ids): Promise<JsonAnswer> {
  if (Array.isArray(value)) return await inTurn(value, (item) => inPlace(item, idOf))
  if (typeof value !== 'object' || value === null) return value
  const fields = await inTurn(Object.entries(value), async ([name, inner]) => [
    name,
    await idsFor(name, inner, idOf),
  ])
  return Object.fromEntries(fields)
}

/** `userId`, `addUserIds` and `userTagIds` name what they are of. */
async function idsFor(name: string, value: JsonAnswer, idOf: Ids): Promise<JsonAnswer> {
  const [, first = '', rest = '', many] = /^(?:add|remove)?(\w)(\w*Id)(s?)$/.exec(name) ?? []
  const thing = `${first.toLowerCase()}${rest}`
  if (!isMade(thing)) return await inPlace(value, idOf)
  if (many === 's') return value.length === 0 ? value : [await idOf(thing)]
  return await idOf(thing)
}

/** One after the other: each is an activity of its own. */
async function inTurn<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (const item of items) made.push(await make(item))
  return made
}

type In = Pick<Setting, 'service' | 'by'>

/** Makes what an id of this name is of, in the organization of this root user. */
export function idsIn(setting: In): Ids {
  const known = new Map<string, Promise<string>>()
  const idOf: Ids = (name) => {
    const id = known.get(name) ?? made(name, setting, idOf)
    known.set(name, id)
    return id
  }
  return idOf
}

async function made(name: string, setting: In, idOf: Ids): Promise<string> {
  const maker = thingsById[name]
  if (maker !== undefined) return await maker(setting, idOf)
  const activity = creatorOf(name)
  if (activity === undefined)
    throw new Error(`nothing here has a ${name}: no activity that creates answers one`)
  const { by, parameters } = fixtures.has(activity.operation)
    ? await prepared(setting, activity)
    : { by: setting.by, parameters: await inPlace(activity.example.intent, idOf) }
  const result = await setting.service.done(by, newestOf(activity).type, parameters)
  const ids: readonly string[] = [result[name], result[`${name}s`]].flat()
  return present(
    ids.find((id) => typeof id === 'string'),
    `a ${name} in the result of ${activity.operation}`,
  )
}

export function isMade(name: string): boolean {
  // Everything stands in an organization, and several activities answer its id.
  if (!name.endsWith('Id') || name === 'organizationId') return false
  return name in thingsById || creatorOf(name) !== undefined
}

function creatorOf(name: string): Activity | undefined {
  return activities.find((activity) => {
    if (activity.action !== 'CREATE') return false
    const { properties = {} } = newestOf(activity).result.schema as JsonAnswer // as `object()` writes it
    return name in properties || `${name}s` in properties
  })
}
