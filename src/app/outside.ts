import type { Answer, Question } from '../catalogue/question.ts'
import type { IssuerKeys } from '../delivery/issuer-keys.ts'
import {
  exchangeOauth2Code,
  type Oauth2Provider,
  Oauth2Refusal,
  oauth2Endpoints,
} from '../delivery/oauth2-exchange.ts'
import type { Outbound } from '../delivery/outbound.ts'
import { OutboundError } from '../delivery/outbound-error.ts'

/** Finds out what the vault asks. What the world outside does not tell is an answer too: `failed`, and why. */
export function outsideOf(parts: {
  readonly issuerKeys: IssuerKeys
  readonly outbound: Outbound
}): (question: Question) => Promise<Answer> {
  return async (question) => {
    try {
      return { kind: 'answered', text: await answerOf(parts, question) }
    } catch (error) {
      if (error instanceof OutboundError || error instanceof Oauth2Refusal)
        return { kind: 'failed', why: error.message }
      throw error
    }
  }
}

async function answerOf(
  { issuerKeys, outbound }: { readonly issuerKeys: IssuerKeys; readonly outbound: Outbound },
  question: Question,
): Promise<string> {
  if (question.about === 'issuerKeys') return await issuerKeys.get(question.issuer, question)
  const { provider } = question
  if (!isProvider(provider)) throw new OutboundError('refusedTarget', 'the provider is not known')
  return JSON.stringify(await exchangeOauth2Code(outbound, { ...question, provider }))
}

function isProvider(name: string): name is Oauth2Provider {
  return Object.hasOwn(oauth2Endpoints, name)
}
