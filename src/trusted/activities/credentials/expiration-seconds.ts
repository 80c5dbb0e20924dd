import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { type Shape, shown } from '../../catalogue/shape.ts'

export const invalidApiKeyExpiration = defineFailure<{ readonly given: unknown }>({
  kind: 'invalidApiKeyExpiration',
  code: INVALID_ARGUMENT,
  say: ({ given }) =>
    `invalid api key expiration: ${shown(given)} is not a positive whole number of seconds as decimal digits`,
})

/** Seconds as decimal digits: from one to a hundred years. */
export const expirationSecondsText: Shape<string> = {
  read: (given) => {
    if (typeof given !== 'string' || !/^[1-9]\d{0,9}$/.test(given) || Number(given) > EXPIRATION_SECONDS_MAX)
      throw invalidApiKeyExpiration({ given })
    return given
  },
  schema: { type: 'string', pattern: '^[1-9][0-9]{0,9}$' },
}

// Far beyond any practical value, and small enough that the sum with a point in time stays exact.
const EXPIRATION_SECONDS_MAX = 100 * 366 * 24 * 60 * 60
