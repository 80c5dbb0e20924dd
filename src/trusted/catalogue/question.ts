/**
 * A question that only the outside world can answer: the vault asks, the host fetches the answer, and the vault judges
 * it. A question about an issuer's keys only names them; a question to an OAuth 2.0 provider carries a secret, once.
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

/** The questions of one request so far, with their answers. Two questions are the same when everything in them is. */
export type Answers = readonly { readonly question: Question; readonly answer: Answer }[]

export function answerTo(answers: Answers, question: Question): Answer | undefined {
  const wanted = JSON.stringify(question)
  return answers.find((answer) => JSON.stringify(answer.question) === wanted)?.answer
}
