/** By the codes of google.rpc.Code. */
const KINDS = new Map([
  [3, { trouble: 'notDecrypted', code: 'INVALID_ARGUMENT' }],
  [4, { trouble: 'unreachable', code: 'DEADLINE_EXCEEDED' }],
  [5, { trouble: 'noKey', code: 'NOT_FOUND' }],
  [7, { trouble: 'noRights', code: 'PERMISSION_DENIED' }],
  [9, { trouble: 'keyUnusable', code: 'FAILED_PRECONDITION' }],
  [14, { trouble: 'unreachable', code: 'UNAVAILABLE' }],
  [16, { trouble: 'credentialsRefused', code: 'UNAUTHENTICATED' }],
] as const)

/** What an error of the client means. Only its code is told: the text of a service may quote what it was sent. */
export function troubleOf(error: unknown) {
  if (!(error instanceof Error)) return { trouble: 'failed' } as const
  const code = 'code' in error ? error.code : undefined
  const known = typeof code === 'number' ? [...KINDS].find(([number]) => number === code)?.[1] : undefined
  return known ?? ({ trouble: 'failed', code: String(code ?? error.name) } as const)
}
