import { requireOneStamp, type StampHeaders } from '../../trusted/crypto/stamp.ts'

/** Reading a body below this takes no longer than looking at its stamp, or than waiting for a turn. */
export const LONG_BODY_BYTES = 64 * 1024

/**
 * A long body without a stamp that could be one is not read. Whose stamp it is, and whether it is good, is for the
 * vault to say.
 *
 * @throws  Failure, as `requireOneStamp` does
 */
export function expectStamp({
  body,
  stamp,
}: {
  readonly body: Uint8Array
  readonly stamp: StampHeaders
}): void {
  if (body.length >= LONG_BODY_BYTES) requireOneStamp(stamp)
}
