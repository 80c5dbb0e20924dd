import type { TestContext } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import type { Examples, Exchange } from '../../src/host/cli/derived/examples.ts'
import { queries } from '../../src/host/queries/list.ts'
import { prepare } from '../behaviour/ground.ts'
import { outside } from '../behaviour/identities.ts'
import { newestOf } from '../behaviour/newest.ts'
import { preparedQuery } from '../behaviour/query-fixtures.ts'
import { aService, type Response, type TestService } from '../support/service.ts'

/**
 * The example of every operation as a service answers it, each in an organization of its own in which everything stands
 * that the example needs.
 */
export async function operationExchanges(t: Pick<TestContext, 'after'>): Promise<Examples['operations']> {
  const taken: [operation: string, exchange: Exchange][] = []
  for (const activity of activities) {
    const service = await aFreshService(t)
    const { by, parameters } = await prepare(service, service.root, activity)
    const { type } = newestOf(activity)
    const answer = answered(await service.submit(by, type, parameters))
    const { organizationId } = by
    const timestampMs = String(service.world.now())
    taken.push([activity.operation, { request: { type, timestampMs, organizationId, parameters }, answer }])
  }
  for (const query of queries) {
    const service = await aFreshService(t)
    const by = service.root
    const parameters = await preparedQuery({ service, by }, query)
    const answer = answered(await service.query(by, query.operation, parameters))
    const { organizationId } = by
    taken.push([query.operation, { request: { organizationId, ...parameters }, answer }])
  }
  return Object.fromEntries(taken)
}

/** Its ids, keys and times do not depend on what was taken before. */
async function aFreshService(t: Pick<TestContext, 'after'>): Promise<TestService> {
  const service = await aService({ outside })
  t.after(service.close)
  return service
}

function answered({ status, json, text }: Response): object {
  if (status !== 200) throw new Error(text)
  return json
}
