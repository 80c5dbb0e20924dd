import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aSubOrganization } from '../../../../test/behaviour/things.ts'
import { quietHost } from '../../../../test/support/quiet.ts'
import { aService, type Member } from '../../../../test/support/service.ts'
import { stampWith } from '../../../../test/support/stamper.ts'
import { activities } from '../../../trusted/activities/list.ts'
import { present } from '../../../trusted/base/assert.ts'
import { endlessTimers } from '../../outside/testing/timers.ts'
import { openHost } from '../../pipeline/open-host.ts'
import { type LimitKind, openRateLimits, TooManyRequests } from '../rate-limits.ts'
import { openChangeStreams } from './change-streams.ts'
import { STREAM_PATH, streamRoutes } from './stream-routes.ts'

const NONE = Number.POSITIVE_INFINITY

/** The route of a host of its own, on the data of a service, and what it is asked for by a member. */
async function aRoute(t: TestContext, organization: number) {
  const service = await aService()
  t.after(service.close)
  const { store, vault, world } = service
  const host = openHost({ ...quietHost, store, vault, world, activities })
  const troubles: unknown[] = []
  const streams = openChangeStreams(host, {
    world,
    timers: endlessTimers,
    newEpoch: () => 'epoch',
    onTrouble: (trouble) => troubles.push(trouble),
  })
  t.after(streams.close)
  const limited: LimitKind[] = []
  const settings = { address: NONE, proxy: NONE, credential: NONE, organization, contact: NONE }
  const limits = openRateLimits({ settings, world, onLimited: (kind) => limited.push(kind) })
  const route = present(streamRoutes(host, streams, limits).get(`POST ${STREAM_PATH}`), 'the route')
  const opened = async ({ key, organizationId }: Member): Promise<string> => {
    const body = Buffer.from(JSON.stringify({ organizationId }))
    const stamp = { xStamp: stampWith(key, body).stampHeaderValue }
    return (await route({ body, stamp, clientAddress: '198.51.100.1', headers: {} })).kind
  }
  return { service, opened, limited, troubles }
}

test('streams count for the limit of their organization, over all its users', async (t) => {
  const { service, opened, limited, troubles } = await aRoute(t, 1)
  const { root } = service
  const ada = await service.user('Ada')
  for (const by of [root, root, root, ada, ada]) assert.equal(await opened(by), 'ok')
  await assert.rejects(opened(ada), TooManyRequests)
  assert.deepEqual([limited, troubles], [['organization'], []])
})

test('streams in sub-organizations count for the tenant, and not for another', async (t) => {
  const { service, opened } = await aRoute(t, NONE)
  const children: Member[] = []
  for (let made = 0; made < 17; made++) children.push(await aSubOrganization(service))
  const last = present(children.pop(), 'a sub-organization')
  for (const child of children) for (let open = 0; open < 4; open++) assert.equal(await opened(child), 'ok')
  for (const by of [last, service.root])
    await assert.rejects(opened(by), /an organization and its sub-organizations may have 64/)
  assert.equal(await opened(await service.newOrganization()), 'ok')
})
