import type { Answer, Question } from '../../trusted/catalogue/question.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { exchangeOauth2Code, type Oauth2Provider, Oauth2Refusal, oauth2Endpoints } from './oauth2-exchange.ts'
import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import type { Timers } from './timers.ts'

type Parts = { readonly issuerKeys: IssuerKeys; readonly outbound: Outbound; readonly timers: Timers }

/** For each question, from when it is asked; what a request asks at once has this one deadline. */
export const ANSWER_MS_MAX = 10_000

/**
 * Answers the questions of the vault. A timeout or an error is an answer too: `failed`, with the reason. The same
 * question asked twice at once is one: an authorization code is taken once, and both of two equal requests need its
 * answer. Equal questions of two tenants are two.
 */
export function outsideOf(parts: Parts): (question: Question, asker: string) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>()
  return (question, asker) => {
    const name = JSON.stringify([asker, question])
    const already = underWay.get(name)
    if (already !== undefined) return already
    const answer = inTime(parts.timers, found(parts, question, asker)).finally(() => underWay.delete(name))
    underWay.set(name, answer)
    return answer
  }
}

function inTime(timers: Timers, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const why = `there was no answer within ${ANSWER_MS_MAX / 1000} seconds`
    const cancel = timers.after(ANSWER_MS_MAX, () => resolve({ kind: 'failed', why }))
    answer.then(resolve, reject).finally(cancel)
  })
}

async function found(parts: Parts, question: Question, asker: string): Promise<Answer> {
  try {
    return { kind: 'answered', text: await answerOf(parts, question, asker) }
  } catch (error) {
    if (error instanceof OutboundError || error instanceof Oauth2Refusal)
      return { kind: 'failed', why: error.message }
    throw error
  }
}

async function answerOf({ issuerKeys, outbound }: Parts, question: Question, asker: string): Promise<string> {
  if (question.about === 'issuerKeys') return await issuerKeys.get(question.issuer, { ...question, asker })
  const { provider } = question
  if (!isProvider(provider)) throw new OutboundError('refusedTarget', 'the provider is not known')
  return JSON.stringify(await exchangeOauth2Code(outbound, { ...question, provider }))
}

function isProvider(name: string): name is Oauth2Provider {
  return Object.hasOwn(oauth2Endpoints, name)
}
