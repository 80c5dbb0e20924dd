/**
 * A text of a recorded request as it is shown: what serves whoever reads it is cut out. Tokens keep what they say and lose
 * their signature; one-time codes that were sent in clear, as the first version has them, are gone. The record itself keeps
 * the bytes, because a vote is proven again by them.
 *
 * @param json  JSON, in which requests may stand as texts
 */
export function shownRequest(json: string): string {
  const cut = json.includes('.eyJ') ? json.replace(JWT, '$1') : json
  return cut.includes('otpCode') ? cut.replace(CODE, '$1') : cut
}

// Base64url of `{"`, which both first parts of a token begin with, is `eyJ`. A try begins only where a run of such characters
// does, so that no text takes longer than reading it twice.
const JWT = /((?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.)[\w-]+/g
const CODE = /(\\?"otpCode\\?"\s*:\s*\\?")[^"\\]*/g
