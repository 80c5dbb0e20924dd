import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('streams count for the limit of their organization, over all its users', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { store, vault, world, root } = service
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
  const settings = { address: NONE, proxy: NONE, credential: NONE, organization: 1, contact: NONE }
  const limits = openRateLimits({ settings, world, onLimited: (kind) => limited.push(kind) })
  const route = present(streamRoutes(host, streams, limits).get(`POST ${STREAM_PATH}`), 'the route')
  const opened = async ({ key, organizationId }: Member): Promise<string> => {
    const body = Buffer.from(JSON.stringify({ organizationId }))
    const stamp = { xStamp: stampWith(key, body).stampHeaderValue }
    return (await route({ body, stamp, clientAddress: '198.51.100.1', headers: {} })).kind
  }
  const ada = await service.user('Ada')
  for (const by of [root, root, root, ada, ada]) assert.equal(await opened(by), 'ok')
  await assert.rejects(opened(ada), TooManyRequests)
  assert.deepEqual([limited, troubles], [['organization'], []])
})
