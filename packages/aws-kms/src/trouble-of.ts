const KINDS = {
  CredentialsProviderError: 'noCredentials',
  UnrecognizedClientException: 'credentialsRefused',
  InvalidClientTokenId: 'credentialsRefused',
  InvalidSignatureException: 'credentialsRefused',
  SignatureDoesNotMatch: 'credentialsRefused',
  ExpiredTokenException: 'credentialsRefused',
  AccessDeniedException: 'noRights',
  NotFoundException: 'noKey',
  DisabledException: 'keyUnusable',
  KMSInvalidStateException: 'keyUnusable',
  InvalidKeyUsageException: 'keyUnusable',
  InvalidCiphertextException: 'notDecrypted',
  IncorrectKeyException: 'notDecrypted',
  SyntaxError: 'wrongAnswer',
  InvalidAnswer: 'wrongAnswer',
} as const
const KIND_BY_NAME: ReadonlyMap<string, (typeof KINDS)[keyof typeof KINDS]> = new Map(Object.entries(KINDS))

/**
 * What an error of the client means. Only its name or its code is told: the text of a service may quote what it was
 * sent.
 */
export function troubleOf(error: unknown) {
  if (!(error instanceof Error)) return { trouble: 'failed' } as const
  const { name } = error
  const kind = KIND_BY_NAME.get(name)
  if (kind !== undefined) return { trouble: kind, code: name }
  const code = systemCodeOf(error)
  return code === undefined
    ? ({ trouble: 'failed', code: name } as const)
    : ({ trouble: 'unreachable', code } as const)
}

/** Of an error of a connection, which may be the cause of another one. */
function systemCodeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.name === 'TimeoutError') return error.name
  return error.cause instanceof Error ? systemCodeOf(error.cause) : undefined
}
