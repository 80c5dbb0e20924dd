import { errorBody, type Failure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import { TooManyRequests } from './rate-limits.ts'
import type { Answer } from './route.ts'

/** The answer to a request that met a failure. */
export function errorAnswer(failure: Failure): Answer {
  const error = errorBody(failure)
  if (failure instanceof TooManyRequests) return { kind: 'error', error, headers: limitHeaders(failure) }
  return failure.code === UNAVAILABLE
    ? { kind: 'error', error, headers: RETRY_HEADERS }
    : { kind: 'error', error }
}

/** In seconds: soon enough for a vault that starts again, seldom enough for a database that is away. */
const RETRY_HEADERS = { 'retry-after': '2', 'access-control-expose-headers': 'retry-after' } as const

function limitHeaders({ limit }: TooManyRequests): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'access-control-expose-headers': 'ratelimit-limit, ratelimit-remaining',
  }
}
