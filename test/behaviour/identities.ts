import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { Answer, Question } from '../../src/trusted/catalogue/question.ts'
import { p256Signer } from '../../src/trusted/crypto/p256.ts'
import { signServiceOidcToken } from '../../src/trusted/crypto/service-oidc-token.ts'
import { oidcNonceFor } from '../../src/trusted/crypto/stamp-attested.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { publicServiceKeys } from '../../src/trusted/vault/keys/service-keys.ts'
import type { Member, TestService } from '../support/service.ts'
import { aSubOrganization } from './things.ts'
import type { Setting } from './fixture.ts'

type In = Pick<Setting, 'service' | 'by'>

// The root key of every service in these tests.
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

/** All that is answered outside: a provider that lets everyone in. */
export async function outside(question: Question): Promise<Answer> {
  return question.about === 'oauth2Identity'
    ? { kind: 'answered', text: JSON.stringify({ subject: '80351104', bearerToken: 'bearer' }) }
    : { kind: 'failed', why: 'there is no issuer here' }
}

/** A token of the service's own, which can be verified without asking anyone. */
export function anIdentityToken(service: TestService, publicKey: string, audience = 'app'): string {
  const now = service.world.now()
  return signServiceOidcToken(
    {
      issuer: 'urn:claviger:oauth2:x',
      audience,
      subject: '4711',
      issuedAt: now,
      expiresAt: now + 3_600_000,
      nonce: oidcNonceFor(publicKey),
    },
    p256Signer(keyring.serviceSecret('otp')),
  )
}

/** A root user of a sub-organization who may log in with such a token. */
export async function withIdentity({ service, by }: In): Promise<Member> {
  const member = by.organizationId === service.organizationId ? await aSubOrganization(service) : by
  await aProvider({ service, by: member }, member.userId)
  return member
}

export async function aProvider({ service, by }: In, userId: string): Promise<string> {
  const { providerIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', {
    userId,
    oauthProviders: [{ providerName: 'Existing', oidcToken: anIdentityToken(service, '') }],
  })
  return providerIds[0]
}

/** The client secret as the published client encrypts it. */
export async function encryptedClientSecret(): Promise<string> {
  return await encryptOauth2ClientSecret('a client secret', publicServiceKeys(keyring, 0).oauth2)
}

export async function anOauth2Credential({ service, by }: In): Promise<string> {
  const { oauth2CredentialId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'existing',
    encryptedClientSecret: await encryptedClientSecret(),
  })
  return oauth2CredentialId
}
