import type { KeyObject } from 'node:crypto'
import { present } from '../../trusted/base/assert.ts'
import { costOfToken, questionsAbout, verifyIdentityToken } from '../../trusted/catalogue/identity-tokens.ts'
import { answerTo, type Question } from '../../trusted/catalogue/question.ts'
import { type OidcToken, type PeekedOidcToken, peekOidcToken } from '../../trusted/crypto/oidc-token.ts'
import { p256VerifyKey } from '../../trusted/crypto/p256.ts'
import { readVerificationToken, type VerificationToken } from '../../trusted/crypto/verification-token.ts'
import { answersTo } from '../pipeline/answers-to.ts'
import type { AuthProxyConfig } from './config.ts'
import { foreignClient, foreignToken } from './failures.ts'
import type { Proxied } from './proxied.ts'

/**
 * The verification token of a code that this service has issued for the parent. All other tokens are refused without
 * information, because a stranger can write any contact into a token of their own.
 *
 * @throws  Failures of `readVerificationToken`, `foreignToken`
 */
export async function provenContact(jwt: string, { config, host }: Proxied): Promise<VerificationToken> {
  const keys = await tokenVerifyKeys(host)
  const token = await readVerificationToken(jwt, keys, host.world.now())
  if (token.organizationId !== config.organizationId || token.wallet !== undefined) throw foreignToken()
  return token
}

/**
 * A verified identity token that was issued to a client of this configuration.
 *
 * @throws  Failures of `identityTokenFailures`, `foreignClient`
 */
export async function provenIdentity(jwt: string, { config, host, spend }: Proxied): Promise<OidcToken> {
  // A text that is not a token gets a failure of its own.
  const questions = questionsAbout([jwt])
  const claimed = present(peekOidcToken(jwt), 'the claims of a token that was just read')
  checkOwnClient(claimed, config)
  const verifyKeys = await tokenVerifyKeys(host)
  const answers = await answersTo(host, questions, config.organizationId)
  const answered = (question: Question) =>
    present(answerTo(answers, question), 'the answer to a question that was asked')
  spend(costOfToken(jwt, { answerTo: answered }))
  const { issuer, audience, authorizedParty = audience } = claimed
  return await verifyIdentityToken(jwt, {
    now: host.world.now(),
    service: { tokenVerifyKeys: () => verifyKeys },
    audiences: {
      isClosed: true,
      known: [audience, authorizedParty].map((item) => ({ issuer, audience: item })),
    },
    answerTo: answered,
  })
}

/** The keys of all versions that verify. */
async function tokenVerifyKeys({ vault }: Pick<Proxied['host'], 'vault'>): Promise<readonly KeyObject[]> {
  const { versions } = await vault.serviceKeys()
  return versions
    .filter(({ purpose }) => purpose === 'otp')
    .map(({ publicKey }) => present(p256VerifyKey(publicKey), 'a key that the vault has told'))
}

/** @throws  Failure `foreignClient`, for the audience and for the client in `azp` */
export function checkOwnClient(
  { audience, authorizedParty = audience }: Pick<PeekedOidcToken, 'audience' | 'authorizedParty'>,
  config: AuthProxyConfig,
): void {
  for (const clientId of [audience, authorizedParty])
    if (!isOwnClient(clientId, config)) throw foreignClient()
}

export function isOwnClient(
  clientId: string,
  { oauthClientIds, socialLinkingClientIds }: AuthProxyConfig,
): boolean {
  return Object.values(oauthClientIds).includes(clientId) || socialLinkingClientIds.includes(clientId)
}
