import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { openGrounds } from './ground.ts'
import { newestOf } from './newest.ts'
import { variants } from './variants.ts'

const STATUSES = [200, 400, 401, 403, 404, 409, 429]

const groundFor = await openGrounds()

for (const activity of activities) {
  const { operation } = activity
  const declared = new Set(activity.fails.map(({ kind }) => kind))

  test(`${operation}: whatever is changed about a good request, only declared failures come out`, async () => {
    const { service, commits, failures, by, type, parameters } = await groundFor(activity)
    let tried = 0
    for (const variant of variants(parameters, newestOf(activity).intent.schema)) {
      service.world.advance(1)
      const before = commits.length
      // A bug is thrown by `submit`: it would answer 500.
      const { status, json, text } = await service.submit(by, type, variant)
      assert.ok(STATUSES.includes(status), text)
      if (status !== 200) {
        assert.equal(typeof json.message, 'string')
        assert.ok(Array.isArray(json.details), text)
        // But a failure that counts, such as a wrong try: its record says that it has failed.
        const counts =
          commits.at(-1)?.activity?.row.status === 'ACTIVITY_STATUS_FAILED' ? [before, before + 1] : [before]
        if (status !== 403) assert.ok(counts.includes(commits.length), `an error leaves nothing: ${text}`)
      }
      tried++
    }
    const { properties } = newestOf(activity).intent.schema
    const isEmpty = Object.keys(properties ?? {}).length === 0
    assert.ok(tried > 1 || isEmpty, `${tried} variants`)
    assert.deepEqual(
      [...failures].filter((kind) => !declared.has(kind)),
      [],
    )
  })
}
