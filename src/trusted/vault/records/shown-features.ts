import { intentKeyOf, serviceIntentKeyOf } from '../../catalogue/form.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import type { Feature } from '../../charter/charter.ts'
import { featuresApart, SERVICE_FEATURES } from '../../charter/features.ts'

/**
 * The key under which an intent is shown. The published interface does not have intents with features of this service
 * alone: a strict client would refuse every list with one under the known key, but ignores an unknown key.
 */
export function shownIntentKey({ type, intent }: Pick<ActivityRow, 'type' | 'intent'>): string {
  const ofService = serviceIntentKeyOf(type)
  return ofService !== undefined && namesOurs(intent) ? ofService : intentKeyOf(type)
}

/** A result with the features of this service in a separate list, which earlier versions did not have. */
export function shownResult({ type, result }: Pick<ActivityRow, 'type' | 'result'>): string {
  if (result === null) return '{}'
  if (serviceIntentKeyOf(type) === undefined || !namesOurs(result)) return result
  // The vault wrote it: under its one key the two lists of features, or one with all of them.
  const written = JSON.parse(result) as { readonly [key: string]: FeatureResult }
  const apart = Object.entries(written).map(([key, { features, serviceFeatures = [] }]) => [
    key,
    featuresApart([...features, ...serviceFeatures]),
  ])
  return JSON.stringify(Object.fromEntries(apart))
}

type FeatureResult = {
  readonly features: readonly Feature[]
  readonly serviceFeatures?: readonly Feature[]
}

function namesOurs(json: string): boolean {
  return SERVICE_FEATURES.some((name) => json.includes(`"${name}"`))
}
