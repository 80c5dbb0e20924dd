import { errorBody, type Failure } from '../base/failure.ts'
import { TooManyRequests } from './rate-limits.ts'
import type { Answer } from './server.ts'

/** The answer to a request that met a failure. */
export function errorAnswer(failure: Failure): Answer {
  const error = errorBody(failure)
  return failure instanceof TooManyRequests
    ? { kind: 'error', error, headers: limitHeaders(failure) }
    : { kind: 'error', error }
}

function limitHeaders({ limit }: TooManyRequests): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'access-control-expose-headers': 'ratelimit-limit, ratelimit-remaining',
  }
}
