import type { Ms } from '../../base/world.ts'
import type { Opened, Placed } from '../../catalogue/objects.ts'
import { matchesCode } from '../../crypto/one-time-code.ts'
import { invalidOtpCode } from './failures.ts'
import {
  codeOf,
  isBelow,
  type OtpCode,
  type OtpContact,
  type OtpUse,
  placeCodes,
  recentWrongTries,
  unexpired,
  WRONG_TRIES_MAX,
} from '../../objects/otp-contact.ts'

export type LiveCode<K extends OtpUse['kind']> = {
  readonly row: Opened<OtpContact>
  readonly code: OtpCode & { readonly use: Extract<OtpUse, { kind: K }> }
}

/**
 * The code of this id, as long as it may be tried.
 *
 * @param found  the rows brought for `contactOfCode`
 * @throws       Failure `invalidOtpCode`, whatever the reason
 */
export function liveCode<K extends OtpUse['kind']>(
  found: readonly Opened<OtpContact>[],
  wanted: { readonly otpId: string; readonly kind: K; readonly now: Ms },
): LiveCode<K> {
  const { otpId, kind, now } = wanted
  for (const row of found) {
    const code = unexpired(row, now).find((otpCode) => otpCode.otpId === otpId)
    if (code === undefined || code.triesLeft === 0 || !isFor(code, kind)) continue
    if (isBelow(WRONG_TRIES_MAX, recentWrongTries(row, now), code.asker)) return { row, code }
  }
  throw invalidOtpCode()
}

/**
 * Compares the given code once. A right code is used up; a wrong one reduces the number of tries. The returned rows
 * must be committed in either case; of two simultaneous tries, only one can be committed.
 */
export function tryCode(
  { row, code }: { readonly row: Opened<OtpContact>; readonly code: OtpCode },
  given: string,
  now: Ms,
): {
  readonly isRight: boolean
  readonly left: { readonly put: readonly Placed[] }
} {
  const isRight = matchesCode(codeOf(row.secret, code), given)
  const others = unexpired(row, now).filter(({ otpId }) => otpId !== code.otpId)
  const before = recentWrongTries(row, now)
  if (!isRight) {
    const codes = [...others, { ...code, triesLeft: code.triesLeft - 1 }]
    const { asker } = code
    const wrongTries = [...before, { ...(asker === undefined ? {} : { asker }), at: now }]
    return { isRight, left: { put: [placeCodes(row.body, { codes, wrongTries }, row.secret)] } }
  }
  return { isRight, left: { put: [placeCodes(row.body, { codes: others, wrongTries: before }, row.secret)] } }
}

function isFor<K extends OtpUse['kind']>(
  code: OtpCode,
  kind: K,
): code is OtpCode & { readonly use: Extract<OtpUse, { kind: K }> } {
  return code.use.kind === kind
}
