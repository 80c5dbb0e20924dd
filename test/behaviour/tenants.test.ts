import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { openGrounds, prepare } from './ground.ts'
import { inventedText, namesIn, renamed } from './names.ts'

/** What a sub-organization cannot have at all. */
const ofTopLevelOnly = new Set([
  'update_oauth2_credential',
  'delete_oauth2_credential',
  'oauth2_authenticate',
])

const groundFor = await openGrounds()

for (const activity of activities) {
  const { operation } = activity

  test(`${operation}: what another organization has is found no more than what nobody has`, async () => {
    const { service, commits, by, elsewhere, type, parameters } = await groundFor(activity)
    // What stands in the example itself names nothing of this organization, such as the address of a contract.
    const everywhere = namesIn(activity.example.intent)
    if (namesIn(parameters).every((name) => everywhere.includes(name))) return
    const other = ofTopLevelOnly.has(operation) ? await service.newOrganization() : elsewhere
    const theirs = await prepare(service, other, activity)
    const before = commits.length
    const ours = (wanted: object) => service.submit(by, type, wanted)

    const stolen = await ours(theirs.parameters)
    const invented = await ours(renamed(theirs.parameters))

    assert.notEqual(stolen.status, 200, stolen.text)
    assert.equal(stolen.status, invented.status)
    assert.equal(inventedText(stolen.text, theirs.parameters), invented.text)
    // At most a refusal was remembered, in the organization that asked.
    for (const { activity: record, charters, objects } of commits.slice(before)) {
      assert.equal(record?.row.organizationId, by.organizationId)
      assert.deepEqual([...charters, ...objects.put, ...objects.remove], [])
    }
    // It is theirs all the while.
    const own = await service.submit(theirs.by, type, theirs.parameters)
    assert.equal(own.status, 200, own.text)
  })

  test(`${operation}: nobody else's member may ask for it, not even the parent's`, async () => {
    const { service, commits, by, elsewhere, type, parameters } = await groundFor(activity)
    const before = commits.length
    const { organizationId } = by

    // With the id of its parent, a sub-organization may be meant.
    if (activity.findsSubOrganization !== true) {
      const { status } = await service.submit(elsewhere, type, parameters, { organizationId })
      assert.ok([400, 401].includes(status), String(status))
      assert.equal(commits.length, before)
    }
    // Logins that the parent starts are judged by the parent's own policies.
    if (activity.parentMay === true) return
    const ofParent = await service.submit(service.root, type, parameters, {
      organizationId: elsewhere.organizationId,
    })
    assert.equal(ofParent.status, 400)
    assert.match(ofParent.json.message, /^organization mismatch/)
    assert.equal(commits.length, before)
  })
}
