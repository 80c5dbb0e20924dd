import { type Charter, featureOf } from './charter.ts'

/** Origins that passkeys of the organization may be used from; undefined when it does not say: any. */
export function passkeyOrigins(charter: Charter): readonly string[] | undefined {
  const value = featureOf(charter, 'FEATURE_NAME_WEBAUTHN_ORIGINS')?.value?.trim() ?? ''
  if (value === '' || value === '*') return undefined
  return value.split(',').map((origin) => origin.trim())
}
