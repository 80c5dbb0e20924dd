import { InTheClear } from './over-tls.ts'

const KINDS = {
  CredentialsProviderError: 'noCredentials',
  InvalidAccessKeyId: 'credentialsRefused',
  SignatureDoesNotMatch: 'credentialsRefused',
  ExpiredToken: 'credentialsRefused',
  InvalidToken: 'credentialsRefused',
  TokenRefreshRequired: 'credentialsRefused',
  RequestTimeTooSkewed: 'clock',
  InvalidObjectState: 'cold',
  NoSuchBucket: 'noBucket',
  PermanentRedirect: 'elsewhere',
  TemporaryRedirect: 'elsewhere',
  AuthorizationHeaderMalformed: 'elsewhere',
  ConditionalRequestConflict: 'conditionFailed',
  NotImplemented: 'notImplemented',
  TimeoutError: 'unreachable',
  SyntaxError: 'wrongAnswer',
  InvalidAnswer: 'wrongAnswer',
} as const
type Kind =
  | (typeof KINDS)[keyof typeof KINDS]
  | 'inTheClear'
  | 'noObject'
  | 'noRights'
  | 'unreachable'
  | 'failed'
const KIND_BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(KINDS))
/** An answer without a body, such as one to HEAD, has no name of what is wrong. */
const KIND_BY_STATUS: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [301, 'elsewhere'],
  [302, 'elsewhere'],
  [303, 'elsewhere'],
  [307, 'elsewhere'],
  [308, 'elsewhere'],
  [401, 'noRights'],
  [403, 'noRights'],
  [404, 'noObject'],
  [412, 'conditionFailed'],
  [416, 'wrongAnswer'],
  [501, 'notImplemented'],
])

export type Trouble = {
  readonly trouble: Kind | 'noPlace' | 'tooLarge'
  readonly at?: string
  readonly code?: string
}

/** An answer that is not what was asked for. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}

/**
 * What an error of the client means. Only its name, its code or its status is told: the text of a service may quote
 * what it was sent.
 */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof InTheClear) return { trouble: 'inTheClear', at: error.host }
  if (!(error instanceof Error)) return { trouble: 'failed' }
  const { name } = error
  const status = statusOf(error)
  const code = status === undefined || KIND_BY_NAME.has(name) ? name : `${status}:${name}`
  const kind = KIND_BY_NAME.get(name) ?? KIND_BY_STATUS.get(status ?? 0)
  if (kind !== undefined) return { trouble: kind, code }
  const systemCode = systemCodeOf(error)
  return systemCode === undefined ? { trouble: 'failed', code } : { trouble: 'unreachable', code: systemCode }
}

function statusOf(error: Error): number | undefined {
  // The client adds it to what a service has answered.
  const { $metadata: metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: unknown } }
  return typeof metadata?.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}

/** Of an error of a connection, which may be the cause of another one. */
function systemCodeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? systemCodeOf(error.cause) : undefined
}
