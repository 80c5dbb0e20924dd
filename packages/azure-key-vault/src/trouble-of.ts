import {
  AggregateAuthenticationError,
  AuthenticationError,
  CredentialUnavailableError,
} from '@azure/identity'

const UNUSABLE = ['KeyDisabled', 'KeyExpired', 'KeyNotYetValid', 'KeyOperationForbidden']

/** What an error of the clients means. Only codes are told: texts of a service may quote what it was sent. */
export function troubleOf(error: unknown) {
  if (!(error instanceof Error)) return { trouble: 'failed' } as const
  const { name } = error
  if (error instanceof AuthenticationError) return { trouble: 'credentialsRefused', code: name } as const
  if (error instanceof AggregateAuthenticationError || error instanceof CredentialUnavailableError)
    return { trouble: 'noCredentials', code: name } as const
  const { statusCode, code, details } = fieldsOf(error)
  const inner = innerCode(details)
  if (statusCode === undefined)
    return { trouble: code === undefined ? 'failed' : 'unreachable', code } as const
  const answered = inner ?? code ?? String(statusCode)
  switch (statusCode) {
    case 400:
      return { trouble: 'notDecrypted', code: answered } as const
    case 401:
      return { trouble: 'credentialsRefused', code: answered } as const
    case 403:
      return { trouble: isUnusable(inner) ? 'keyUnusable' : 'noRights', code: answered } as const
    case 404:
      return { trouble: 'noKey', code: answered } as const
    default:
      return { trouble: 'failed', code: answered } as const
  }
}

/** A request that got no answer has the error of the system as its cause. */
function fieldsOf(error: Error) {
  const statusCode =
    'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : undefined
  return { statusCode, code: cause ?? own, details: 'details' in error ? error.details : undefined }
}

/** As the client shows what Key Vault answers. */
function innerCode(details: unknown): string | undefined {
  const code = ['error', 'innerError', 'code'].reduce<unknown>(
    (within, name) =>
      typeof within === 'object' && within !== null ? new Map(Object.entries(within)).get(name) : undefined,
    details,
  )
  return typeof code === 'string' ? code : undefined
}

function isUnusable(code: string | undefined): boolean {
  return code !== undefined && UNUSABLE.includes(code)
}
