import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'

/** Part of the interface, and of a later version of this service: refused, so that nobody relies on what did not happen. */
export const notSupported = defineFailure<{ readonly what: string }>({
  kind: 'notSupported',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `invalid request: ${what} not supported by this version`,
})
