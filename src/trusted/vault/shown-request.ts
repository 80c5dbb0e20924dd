/**
 * A text of a recorded request as it is shown: what serves whoever reads it is cut out. Tokens keep what they say and lose
 * their signature; one-time codes that were sent in clear, as the first version has them, are gone. The record itself keeps
 * the bytes, because a vote is proven again by them.
 *
 * @param json  JSON, in which requests may stand as texts
 */
export function shownRequest(json: string): string {
  const cut = json.includes('.eyJ') ? json.replace(JWT, '$1') : json
  return MAY_HOLD_CODE.test(cut) ? cut.replace(CODE, '$1') : cut
}

// Base64url of `{"`, which both first parts of a token begin with, is `eyJ`. A try begins only where a run of such characters
// does, so that no text takes longer than reading it twice.
const JWT = /((?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.)[\w-]+/g
// JSON lets every letter be written as its number too, with a backslash that is doubled where the request stands as a
// text.
const MAY_HOLD_CODE = /otpCode|otp_code|\\u00/
const NAME = `${spelled('otp')}(?:${spelled('C')}|${spelled('_c')})${spelled('ode')}`
const CODE = new RegExp(String.raw`(\\?"${NAME}\\?"\s*:\s*\\?")(?:[^"\\]|\\{1,2}u[0-9a-fA-F]{4})*`, 'g')

function spelled(letters: string): string {
  return letters
    .split('')
    .map((letter) => `(?:${letter}|${String.raw`\\{1,2}`}u00${hexOf(letter)})`)
    .join('')
}

/** Of either case, for a pattern. */
function hexOf(letter: string): string {
  const hex = letter.charCodeAt(0).toString(16)
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
