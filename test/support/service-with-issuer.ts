import { generateKeyPairSync } from 'node:crypto'
import type { TestContext } from 'node:test'
import { SignJWT } from 'jose'
import { outsideOf } from '../../src/host/outside/outside.ts'
import type { Answer, Question } from '../../src/trusted/catalogue/question.ts'
import { openIssuerKeys } from '../../src/host/outside/issuer-keys.ts'
import { openOutbound } from '../../src/host/outside/outbound.ts'
import { realTimers } from '../../src/host/outside/timers.ts'
import { anIssuer, type TestIssuer } from './issuer.ts'
import { aService, type TestService } from './service.ts'
import { endlessTimers } from '../../src/host/outside/testing/timers.ts'

/** What Google says of someone. */
type GoogleClaims = {
  readonly sub: string
  /** `web` unless given. */
  readonly aud?: string
  readonly azp?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly nonce?: string
}

type ServiceWithIssuer = {
  readonly service: TestService
  readonly issuer: TestIssuer
  /** A token of Google, whose keys the host would bring; here it brings keys of the test under Google's name. */
  readonly googleToken: (claims: GoogleClaims) => Promise<string>
  /** Everything that was asked outside. */
  readonly questions: readonly Question[]
}

/**
 * A service that finds the keys of a real issuer on this machine, as it would find those of any other. The clock is
 * that of the issuer.
 */
export async function aServiceWithIssuer(
  t: TestContext,
  options: { readonly oauth2Identity?: (question: Question) => Answer } = {},
): Promise<ServiceWithIssuer> {
  const issuer = await anIssuer()
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  const clock = { now: () => 0 }
  const questions: Question[] = []
  const issuerKeys = openIssuerKeys({ outbound, elapsed: () => clock.now() })
  const real = outsideOf({ outbound, issuerKeys, timers: realTimers })
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const googleKeys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'g' }] })
  const service = await aService({
    outside: async (question, asker) => {
      questions.push(question)
      if (question.about === 'oauth2Identity')
        return options.oauth2Identity?.(question) ?? { kind: 'failed', why: 'it is not asked in this test' }
      return question.issuer === GOOGLE ? { kind: 'answered', text: googleKeys } : await real(question, asker)
    },
  })
  service.world.advance(Date.now() - service.world.now())
  clock.now = service.world.now
  t.after(async () => {
    outbound.close()
    await service.close()
    await issuer.close()
  })
  return {
    service,
    issuer,
    questions,
    googleToken: (claims) => {
      const iat = Math.floor(service.world.now() / 1000)
      return new SignJWT({ iss: GOOGLE, aud: 'web', iat, exp: iat + 3600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'g' })
        .sign(privateKey)
    },
  }
}

const GOOGLE = 'https://accounts.google.com'
