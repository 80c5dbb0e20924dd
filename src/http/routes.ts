import type { Activity } from '../catalogue/activity.ts'
import type { Query } from '../catalogue/query.ts'
import { answer } from '../pipeline/answer.ts'
import type { Host } from '../pipeline/host.ts'
import { submit } from '../pipeline/submit.ts'
import type { Route } from './server.ts'

/** The routes of the interface, derived from the two lists. */
export function interfaceRoutes(
  host: Host,
  { activities, queries }: { readonly activities: readonly Activity[]; readonly queries: readonly Query[] },
): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const { operation } of activities) {
    routes.set(`POST /public/v1/submit/${operation}`, (call) => submit(host, { operation, ...call }))
  }
  for (const query of queries) {
    routes.set(`POST /public/v1/query/${query.operation}`, (call) => answer(host, query, call))
  }
  return routes
}
