import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import { label, object, oneOf, optional, otherwise, text, type TypeOf } from '../../catalogue/shape.ts'
import { API_KEY_CURVES, apiKeyType, invalidApiKey, readApiKey } from '../../charter/api-keys.ts'
import type { ApiKey } from '../../charter/charter.ts'
import { limits, tooManyOfUser } from '../../charter/limits.ts'
import { expirationSecondsText, invalidApiKeyExpiration } from './expiration-seconds.ts'

// `readApiKey` checks the length for each curve.
const publicKey = text({ max: 256 })
// Without it a key never expires.
const expirationSeconds = optional(expirationSecondsText, 'emptyIsGiven')

/** `apiApiKeyParams`: a P-256 key. */
export const apiKeyParamsV1 = object({ apiKeyName: label, publicKey, expirationSeconds })

/** `ApiKeyParamsV2`: the curve is named. */
export const apiKeyParams = object({
  apiKeyName: label,
  publicKey,
  curveType: otherwise(oneOf(API_KEY_CURVES), 'API_KEY_CURVE_P256'),
  expirationSeconds,
})
export type ApiKeyParams = TypeOf<typeof apiKeyParams>

/** As many of each kind as a user may have. */
export const API_KEYS_AT_ONCE_MAX = limits.longLivedApiKeysPerUser + limits.expiringApiKeysPerUser

export const apiKeyFailures = [invalidApiKey, invalidApiKeyExpiration, tooManyOfUser]

/** An older key in the newest form: it was always on P-256. */
export function onP256(older: TypeOf<typeof apiKeyParamsV1>): ApiKeyParams {
  return { ...older, curveType: 'API_KEY_CURVE_P256' }
}

/** Refuses texts that are not public keys, and more expiring keys than a user may have. */
export async function checkNewApiKeys(keys: readonly ApiKeyParams[], work: Work): Promise<void> {
  for (const { curveType, publicKey } of keys) {
    await work.step(curveType === 'API_KEY_CURVE_ED25519' ? costs.registeredEdwardsKey : costs.registeredKey)
    readApiKey(curveType, publicKey)
  }
  const max = limits.expiringApiKeysPerUser
  if (keys.filter((key) => key.expirationSeconds !== undefined).length > max)
    throw tooManyOfUser({ what: 'short-lived api keys', max })
}

/** @param made.params  of a key that was checked: that it is a point is not asked twice, for it takes long */
export function newApiKey(made: {
  readonly params: ApiKeyParams
  readonly now: Ms
  readonly newId: () => string
}): ApiKey {
  const { params, now, newId } = made
  return {
    apiKeyId: newId(),
    apiKeyName: params.apiKeyName,
    publicKey: params.publicKey.toLowerCase(),
    type: apiKeyType(params.curveType),
    ...(params.expirationSeconds === undefined
      ? {}
      : { expirationSeconds: Number(params.expirationSeconds) }),
    createdAt: now,
    updatedAt: now,
  }
}
