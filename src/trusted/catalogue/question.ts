/**
 * Something that only the world outside can tell: the vault says what it has to know, the host fetches it, and the vault
 * judges the answer. An issuer's keys are named; what an OAuth 2.0 provider is asked carries a secret, once.
 */
export type Question =
  | { readonly about: 'issuerKeys'; readonly issuer: string; readonly kid?: string }
  | {
      readonly about: 'oauth2Identity'
      readonly provider: string
      readonly clientId: string
      readonly clientSecret: string
      readonly authCode: string
      readonly redirectUri: string
      readonly codeVerifier: string
    }

/** `text` is JSON: a key set (RFC 7517), or `{ subject, bearerToken }`. */
export type Answer =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'failed'; readonly why: string }

/** What was asked for one request so far. A question is told from another by everything in it. */
export type Answers = readonly { readonly question: Question; readonly answer: Answer }[]

export function answerTo(answers: Answers, question: Question): Answer | undefined {
  const wanted = JSON.stringify(question)
  return answers.find((answer) => JSON.stringify(answer.question) === wanted)?.answer
}
