import { requireOneStamp, type StampHeaders } from '../../trusted/crypto/stamp.ts'

/** Reading a smaller body takes no longer than checking its stamp, or than waiting for a turn. */
export const LONG_BODY_BYTES = 64 * 1024

/**
 * Does not read a long body without a plausible stamp. The vault finds the signer and verifies the stamp.
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
