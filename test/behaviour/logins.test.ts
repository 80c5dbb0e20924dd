import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { type Ground, openGrounds } from './ground.ts'

// No quota refuses a login, and none counts it. So what is declared to be one has to be nothing more.

const groundFor = await openGrounds()
const RESOURCES = ['AUTH', 'OTP', 'RECOVERY']

for (const activity of activities.filter(
  ({ logsIn, resource }) => logsIn === true || RESOURCES.includes(resource),
))
  test(`${activity.operation}: it is declared a login if it changes users, and what passes, and nothing else`, async () => {
    const ground = await groundFor(activity)
    assert.equal(await isOnlyLogin(ground), activity.logsIn === true)
  })

/** Carries the request out, and looks at what it leaves. */
async function isOnlyLogin({ service, commits, by, type, parameters }: Ground): Promise<boolean> {
  const before = new Map<string, string>()
  // A login may be one of a sub-organization: whatever organization has been written to is looked at.
  const written = commits.flatMap(({ charters }) => charters.map(({ organizationId }) => organizationId))
  const ids = new Set([service.organizationId, by.organizationId, ...written])
  for (const id of ids) before.set(id, withoutUsers(present(await service.store.charter(id), id).body))
  const { status, text } = await service.submit(by, type, parameters)
  assert.equal(status, 200, text)
  const { charters, objects } = present(commits.at(-1), 'a unit')
  return (
    charters.every(({ organizationId, body }) => before.get(organizationId) === withoutUsers(body)) &&
    objects.put.every(({ expiresAt }) => expiresAt !== null)
  )
}

/** What a charter says beside its users, and beside when it was written. */
function withoutUsers(body: string): string {
  const rest = JSON.parse(body)
  for (const name of ['users', 'updatedAt', 'version']) delete rest[name]
  return JSON.stringify(rest)
}
