import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { isJsonObject, type JsonValue } from '../../src/trusted/base/strict-json.ts'
import type { Shape } from '../../src/trusted/catalogue/shape.ts'
import { isUnset } from '../../src/trusted/catalogue/spelling.ts'
import { activitiesByType, envelopeShape } from '../../src/trusted/catalogue/submission.ts'
import { queries } from '../../src/host/queries/list.ts'
import { aService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'

/** `client-bodies/README.md` says what these are. */
type Recorded = {
  readonly client: string
  readonly version: string
  readonly path: string
  readonly body: string
}

const folder = new URL('client-bodies/', import.meta.url)
const types = activitiesByType(activities)
const offered = new Map<string, Shape<unknown> | undefined>([
  ...activities.map(({ operation }) => [`/public/v1/submit/${operation}`, undefined] as const),
  ...queries.map(({ operation, request }) => [`/public/v1/query/${operation}`, request] as const),
])

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  // What the recorder wrote.
  const recorded = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Recorded[]

  test(`${file}: nothing that this client leaves unset is a reason to refuse a request`, async (t) => {
    const service = await aService()
    t.after(service.close)
    const { root, organizationId } = service
    let carriedOut = 0
    for (const { path, body } of once(recorded).toSorted(inSafeOrder)) {
      if (!offered.has(path)) continue
      service.world.advance(1)
      const sent = body
        .replace('"00000000-0000-4000-8000-000000000000"', JSON.stringify(organizationId))
        .replace('"1700000000000"', JSON.stringify(String(service.world.now())))
      const { stampHeaderName, stampHeaderValue } = stampWith(root.key, sent)
      const { status, json, text } = await service.post(path, sent, { [stampHeaderName]: stampHeaderValue })
      assert.ok(status < 500, `${path} ${text}`)
      if (status === 200) carriedOut += 1
      else assert.equal(reproach(path, JSON.parse(sent), json), undefined, `${path}\n${body}\n${text}`)
    }
    assert.ok(carriedOut >= 15, `${carriedOut} carried out`)
  })
}

/** A client writes some of its requests the same whatever it is given. */
function once(recorded: readonly Recorded[]): readonly Recorded[] {
  return [...new Map(recorded.map((item) => [`${item.path} ${item.body}`, item])).values()]
}

/** After a list of addresses is in force nothing else is read. */
function inSafeOrder(a: Recorded, b: Recorded): number {
  return Number(a.path.endsWith('set_ip_allowlist')) - Number(b.path.endsWith('set_ip_allowlist'))
}

/** What a refusal has against a request that its client could not have written otherwise. */
function reproach(path: string, sent: JsonValue, refusal: Refusal): string | undefined {
  if (/is not known|does not belong|bad request body|is given twice/.test(refusal.message))
    return refusal.message
  const [violation] = refusal.details[0]?.fieldViolations ?? []
  if (violation === undefined || violation.field === 'body') return undefined
  const { field } = violation
  // There is no list of all proven contacts.
  if (path.endsWith('/list_verified_suborgs') && field === 'filterType') return undefined
  const names = field.split('.')
  const value = valueAt(sent, names) ?? valueAt(valueAt(sent, ['parameters']), names)
  // The recorders fill in a 1 for whatever it is.
  if (value === '1' || value === 1) return undefined
  const isEmpty =
    value === undefined || isUnset(value) || value === 0 || String(value).endsWith('_UNSPECIFIED')
  if (!isEmpty) return `${field} has a value, and is refused: ${violation.description}`
  const shape = shapeAt(path, sent, names)
  return shape?.isOptional === true || shape?.otherwise !== undefined || shape === undefined
    ? `${field} may be left out, and was: ${violation.description}`
    : undefined
}

type Refusal = {
  readonly message: string
  readonly details: readonly {
    readonly fieldViolations?: readonly { readonly field: string; readonly description: string }[]
  }[]
}

function valueAt(value: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  let at = value
  for (const name of names) {
    const [field = '', index] = name.split(/[[\]]/)
    const snake = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const inner: JsonValue | undefined = isJsonObject(at) ? (at[field] ?? at[snake]) : undefined
    at = index === undefined || !Array.isArray(inner) ? inner : inner[Number(index)]
  }
  return at
}

function shapeAt(path: string, sent: JsonValue, names: readonly string[]): Shape<unknown> | undefined {
  const type = isJsonObject(sent) ? sent['type'] : undefined
  const intent = typeof type === 'string' ? types.get(type)?.form.intent : undefined
  const within = (whole: Shape<unknown>): Shape<unknown> | undefined => {
    let at: Shape<unknown> | undefined = whole
    for (const name of names) {
      const [field = '', index] = name.split(/[[\]]/)
      at = at?.fields?.[field]
      if (index !== undefined) at = at?.item
    }
    return at
  }
  const query = offered.get(path)
  if (query !== undefined) return within(query)
  return within(envelopeShape) ?? within(present(intent, `an intent for ${path}`))
}
