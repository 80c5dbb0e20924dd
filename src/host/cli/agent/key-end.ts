import type { StoredUser } from './organization.ts'

/** The time at which an API key expires, in milliseconds since 1970; infinite without an end. */
export function endOf({
  expirationSeconds,
  createdAt,
}: Pick<StoredUser['apiKeys'][number], 'expirationSeconds' | 'createdAt'>): number {
  if (expirationSeconds === undefined) return Number.POSITIVE_INFINITY
  return (Number(createdAt.seconds) + Number(expirationSeconds)) * 1_000
}
