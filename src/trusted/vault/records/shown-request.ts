import { readJwt } from '../../crypto/jwt.ts'

/**
 * The text of a recorded request for display, without reusable credentials. Tokens keep their claims and lose their
 * signature; one-time codes in the clear, as in the first version, are removed, and so are authorization codes of OAuth
 * 2.0. The record itself keeps the bytes, because votes are verified again with them.
 *
 * @param json  JSON, in which requests may stand as texts
 */
export function shownRequest(json: string): string {
  const usual = json.includes('.eyJ') ? json.replace(JWT, '$1') : json
  const cut = usual.replace(SPACED_JWT, (text, shown: string) => (readJwt(text) === undefined ? text : shown))
  return MAY_HOLD_CODE.test(cut) ? cut.replace(CODE, '$1') : cut
}

// Both first parts of a token begin with `eyJ`, base64url of `{"`. A match starts only at the beginning of a run of
// such characters, so the time is linear in the length of the text.
const JWT = /((?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.)[\w-]+/g
// The same where white space stands before or behind the first brace. Other texts begin so too, such as host names.
const OBJECT = '(?:e[w-z0-9_-]|I[A-P]|C[Q-Za-v]|D[Q-Za-f])'
const SPACED_JWT = new RegExp(`((?<![\\w-])${OBJECT}[\\w-]*\\.${OBJECT}[\\w-]*\\.)[\\w-]+`, 'g')
// JSON allows every letter as a numeric escape too, with a doubled backslash where the request is inside a string.
const MAY_HOLD_CODE = /(?:otp|auth)(?:C|_c)ode|\\u00/
const NAME = `(?:${spelled('otp')}|${spelled('auth')})(?:${spelled('C')}|${spelled('_c')})${spelled('ode')}`
// Some encoders escape a slash too, which authorization codes may have.
const VALUE = String.raw`(?:[^"\\]|\\{1,2}(?:u[0-9a-fA-F]{4}|/))*`
const CODE = new RegExp(String.raw`(\\?"${NAME}\\?"\s*:\s*\\?")${VALUE}`, 'g')

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
