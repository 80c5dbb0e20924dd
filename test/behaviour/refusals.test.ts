import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Response } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'
import { type Ground, openGrounds } from './ground.ts'

const HOUR_MS = 60 * 60 * 1000
const FIVE_MINUTES_MS = 5 * 60 * 1000

const groundFor = await openGrounds()

for (const activity of activities) {
  const { operation } = activity

  test(`${operation}: an unknown field is refused by its name, in every form`, async () => {
    const ground = await groundFor(activity)
    for (const [type, parameters] of forms(ground)) {
      await leavesNothing(ground, async () => {
        const { status, json } = await ground.service.submit(ground.by, type, { ...parameters, surprise: 1 })
        assert.equal(status, 400)
        assert.equal(json.message, 'invalid request body: field `surprise` is not a field of this request')
      })
    }
  })

  test(`${operation}: a missing field is refused by its name, in every form`, async () => {
    const ground = await groundFor(activity)
    for (const [type, parameters] of forms(ground)) {
      for (const name of requiredFields(activity, type)) {
        for (const nothing of [undefined, null])
          await leavesNothing(ground, async () => {
            const { status, json } = await ground.service.submit(ground.by, type, {
              ...parameters,
              [name]: nothing,
            })
            assert.equal(status, 400)
            assert.equal(json.code, 3)
            assert.equal(json.message, `invalid request body: missing field \`${name}\``)
          })
      }
    }
  })

  test(`${operation}: without a stamp, or with two, it is refused and leaves nothing`, async () => {
    const ground = await groundFor(activity)
    const text = bodyOf(ground, ground.service.world.now())
    const { stampHeaderName, stampHeaderValue } = stampWith(ground.by.key, text)
    const stamp = { [stampHeaderName]: stampHeaderValue }
    await leavesNothing(ground, async () => {
      const unsigned = await post(ground, operation, text, {})
      assert.equal(unsigned.status, 401)
      assert.equal(unsigned.json.code, 16)
      const two = await post(ground, operation, text, { ...stamp, 'X-Stamp-Webauthn': '{}' })
      assert.ok([400, 401].includes(two.status), two.text)
      const ofOtherBytes = await post(ground, operation, `${text} `, stamp)
      assert.equal(ofOtherBytes.status, 401)
    })
    assert.equal((await post(ground, operation, text, stamp)).status, 200)
  })

  test(`${operation}: a timestamp out of its window is refused and leaves nothing`, async () => {
    const ground = await groundFor(activity)
    const { service, by, type, parameters } = ground
    const now = service.world.now()
    for (const timestampMs of [0, now - HOUR_MS, now + FIVE_MINUTES_MS + 1, Number.MAX_SAFE_INTEGER])
      await leavesNothing(ground, async () => {
        const { status, json } = await service.submit(by, type, parameters, { timestampMs })
        assert.equal(status, 400, String(timestampMs))
        const where = timestampMs < now ? 'one hour or more before' : 'more than five minutes after'
        assert.match(json.message, new RegExp(`^invalid timestampMs: ${timestampMs} is ${where} `))
      })
    const last = await service.submit(by, type, parameters, { timestampMs: now + FIVE_MINUTES_MS })
    assert.equal(last.status, 200, 'the edge of the window belongs to it')
  })
}

function forms({ type, parameters, older }: Ground): readonly (readonly [string, object])[] {
  return [...Object.entries(older), [type, parameters]]
}

function requiredFields(activity: Activity, type: string): readonly string[] {
  const schema = activity.forms.find((form) => form.type === type)?.intent.schema
  const required = schema?.['required']
  assert.ok(Array.isArray(required), `${type} says what it requires`)
  return required
}

async function leavesNothing({ commits }: Ground, attempt: () => Promise<void>): Promise<void> {
  const before = commits.length
  await attempt()
  assert.equal(commits.length, before, 'nothing is written')
}

function bodyOf({ by, type, parameters }: Ground, now: number): string {
  const { organizationId } = by
  return JSON.stringify({ type, timestampMs: String(now), organizationId, parameters })
}

async function post(
  { service }: Ground,
  operation: string,
  text: string,
  headers: Record<string, string>,
): Promise<Response> {
  return await service.post(`/public/v1/submit/${operation}`, text, headers)
}
