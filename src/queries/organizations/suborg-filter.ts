import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { invalidField, shown } from '../../catalogue/shape.ts'
import { type Lookup, type LookupKind, lookupValue } from '../../charter/directory.ts'
import { Failure } from '../../base/failure.ts'
import { fromBase64url } from '../../base/bytes.ts'
import { readJsonObject } from '../../base/strict-json.ts'

export const invalidOidcToken = defineFailure<{ readonly why: string }>({
  kind: 'invalidOidcToken',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_OIDC_TOKEN',
  say: ({ why }) => `invalid OIDC token: ${why}`,
})

/**
 * What to look for. An empty filter is none, because some clients cannot leave a field out.
 *
 * @returns undefined for a filter that no sub-organization can answer yet: none has a wallet or an OAuth provider
 */
export function lookupOfFilter(filterType = '', filterValue = ''): Lookup | undefined {
  if (filterType === '' && filterValue === '') return { kind: 'SUB_ORGANIZATION', value: '' }
  if (filterType === '') throw invalidField({ field: 'filterType', problem: 'must say what filterValue is' })
  const known = filters.find((filter) => filter === filterType)
  if (known === undefined)
    throw invalidField({
      field: 'filterType',
      problem: `must be one of ${filters.join(', ')}, not ${shown(filterType)}`,
    })
  if (filterValue === '') throw invalidField({ field: 'filterValue', problem: 'must not be empty' })
  if (known === 'OIDC_TOKEN') checkToken(filterValue)
  if (known === 'OIDC_TOKEN' || known === 'WALLET_ACCOUNT_ADDRESS') return undefined
  return { kind: known, value: lookupValue(known, filterValue) }
}

const filters = [
  'CREDENTIAL_ID',
  'NAME',
  'USERNAME',
  'EMAIL',
  'PHONE_NUMBER',
  'PUBLIC_KEY',
  'OIDC_TOKEN',
  'WALLET_ACCOUNT_ADDRESS',
] as const satisfies readonly (LookupKind | 'OIDC_TOKEN' | 'WALLET_ACCOUNT_ADDRESS')[]

/** RFC 7519: three parts, of which header and claims are JSON objects. Who signed it does not matter for looking up. */
function checkToken(token: string): void {
  const parts = token.split('.')
  if (parts.length !== 3) throw invalidOidcToken({ why: 'it does not have three parts' })
  for (const part of parts.slice(0, 2)) {
    const bytes = fromBase64url(part)
    if (bytes === undefined || !isJsonObject(bytes))
      throw invalidOidcToken({ why: 'its header and claims must be JSON objects in base64url' })
  }
}

function isJsonObject(bytes: Uint8Array): boolean {
  try {
    readJsonObject(bytes)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
