import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { costs } from '../../src/trusted/base/costs.ts'
import { SLICE, type Units } from '../../src/trusted/base/work.ts'
import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import { newestOf } from '../behaviour/newest.ts'
import { outside } from '../behaviour/identities.ts'
import { besideDeclarations, prepared } from '../behaviour/fixtures.ts'
import { aService } from '../support/service.ts'
import { countedPace } from './counted-pace.ts'

/**
 * What of an activity takes longest, of what its limits allow and a test can make in a moment: as many keys, accounts
 * or users at once as there may be, or as long a text.
 */
const dearest = await besideDeclarations('dearest')

const { pace, begin, most } = countedPace()
const service = await aService({ pace, outside })
after(() => service.close())

/** Beside the body and a slice: a stamp verified, a charter looked up, a record sealed, and a step that nobody cuts. */
const IN_ONE_GO: Units = 4_000

/** A charter with 62 long policies is opened and sealed whole. */
const CHARTER: Units = 62 * 16_384 * costs.charterCharacter

/** What is read or hashed in one go by nature, and what that is stated to cost. */
const LONGER_STEPS: Readonly<Record<string, Units>> = {
  // The text of an ABI, as JSON.
  create_smart_contract_interface: 400_000 * costs.interfaceCharacter,
  update_policy: CHARTER,
  delete_policies: CHARTER,
  // A transaction, which is read before anything of it can be cut.
  sign_transaction: 262_144 * costs.payloadCharacter,
}

/** A row takes three calls, and a slice has room for as many rows as cost no more than it. */
const CALLS_MAX = (3 * SLICE) / costs.row

for (const activity of activities) {
  const { operation } = activity

  test(`${operation}: the dearest that its limits allow holds the vault for a slice at a time`, async () => {
    service.world.advance(2 * DAY_MS)
    const own = service.of(await service.newOrganization())
    const setting = { service: own, by: own.root, example: activity.example.intent }
    const { by = own.root, parameters } =
      (await dearest.get(operation)?.(setting)) ?? (await prepared(setting, activity))
    own.world.advance(1)
    begin()
    const { status, text } = await own.submit(by, newestOf(activity).type, parameters)
    const { units, calls } = most()
    assert.equal(status, 200, text.slice(0, 300))
    const body = JSON.stringify(parameters).length * costs.bodyCharacter
    const bound = SLICE + IN_ONE_GO + Math.max(body, LONGER_STEPS[operation] ?? 0)
    assert.ok(units <= bound, `${units} units in one go, of at most ${bound}`)
    assert.ok(calls <= CALLS_MAX, `${calls} calls of cryptography in one go, of at most ${CALLS_MAX}`)
  })
}

test('every activity with room for much has a dearest request here', () => {
  for (const activity of activities) {
    const { operation } = activity
    const file = `testing/${operation.replaceAll('_', '-')}.dearest.ts`
    const advice = `${operation} has room for much: ${file} beside it has to make the dearest such request`
    assert.ok(dearest.has(operation) || !hasRoom(newestOf(activity).intent.schema), advice)
  }
})

const DAY_MS = 24 * 60 * 60 * 1_000

/** A list of a hundred or more, or a text of thirty thousand characters or more, anywhere in it. */
function hasRoom(schema: JsonSchema): boolean {
  const { items, properties, anyOf, maxItems, maxLength } = schema
  if (Number(maxItems ?? 0) >= 100 || Number(maxLength ?? 0) >= 30_000) return true
  const inner = [items, ...Object.values(properties ?? {}), ...(Array.isArray(anyOf) ? anyOf : [])]
  // Schemas hold schemas under these names.
  return inner.some((item) => typeof item === 'object' && item !== null && hasRoom(item as JsonSchema))
}
