import { optional, type Plain, tagged, text } from '../trusted/base/plain.ts'
import type { Question } from '../trusted/catalogue/question.ts'

const CHARACTERS_MAX = 16 * 1024 * 1024
const words = text(CHARACTERS_MAX)

/** A question of the vault for the outside world; the host returns it with the answer. */
export const question: Plain<Question> = tagged('about', {
  issuerKeys: { issuer: words, kid: optional(words) },
  oauth2Identity: {
    provider: words,
    clientId: words,
    clientSecret: words,
    authCode: words,
    redirectUri: words,
    codeVerifier: words,
  },
})
