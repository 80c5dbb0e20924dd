import { isJsonObject, type JsonObject } from '../../../trusted/base/strict-json.ts'
import { ServiceError } from '../signed-query.ts'
import type { Organization } from './organization.ts'
import type { Step } from './step.ts'

/** Carries out a step in an organization; returns its result. */
export type Make = (organization: Organization, step: Step) => Promise<JsonObject>

/** A value of the result of a step. @throws ServiceError if the service answers a value of another type */
export function resultIn(result: JsonObject, key: string, name: string): JsonObject[string] | undefined {
  const under = result[key]
  if (!isJsonObject(under))
    throw new ServiceError(`the service answers without ${key}: it may run another version`)
  return under[name]
}
