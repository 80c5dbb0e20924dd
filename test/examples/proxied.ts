import type { TestContext } from 'node:test'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { hash } from 'node:crypto'
import { getClientSignatureMessageForSignup } from '@turnkey/core'
import { present } from '../../src/trusted/base/assert.ts'
import { concat, fromHex, fromUtf8, toHex, utf8 } from '../../src/trusted/base/bytes.ts'
import { seal } from '../../src/trusted/crypto/hpke.ts'
import { p256Signer } from '../../src/trusted/crypto/p256.ts'
import { oidcNonceFor } from '../../src/trusted/crypto/stamp-attested.ts'
import type { Examples, Exchange } from '../../src/host/cli/derived/examples.ts'
import { outside } from '../behaviour/identities.ts'
import { sentMessages } from '../support/messages.ts'
import { loginSignature } from '../support/otp-setting.ts'
import { aProxiedService } from '../support/proxied-service.ts'
import type { JsonAnswer } from '../support/service.ts'

const EMAIL = 'ada@example.com'
const NONE = { apiKeys: [], authenticators: [], oauthProviders: [] }

/**
 * A person signs up by mail and logs in, by the newest endpoints and by the older ones, and another by an account
 * elsewhere.
 */
export async function authProxyExchanges(t: TestContext): Promise<Examples['authProxy']> {
  const oauthClientIds = { x: 'app' }
  const { call, service } = await aProxiedService(t, { outside, config: { oauthClientIds } })
  const { root, vault, world } = service
  const { oauth2 } = await vault.serviceKeys()
  const taken = new Map<string, Exchange>()
  const ask = async (name: string, request: object): Promise<JsonAnswer> => {
    const { status, json, text } = await call(`/v1/${name}`, request)
    if (status !== 200) throw new Error(`${name}: ${text}`)
    taken.set(name, { request, answer: json })
    return json
  }
  const code = async () => present((await sentMessages(service)).at(-1)?.code, 'the code that was sent')

  await ask('wallet_kit_config', {})
  await ask('wallet_kit_client_params', {})

  const init = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL }
  const plainToken = async () => {
    world.advance(200_000)
    const { otpId } = await ask('otp_init', init)
    return (await ask('otp_verify', { otpId, otpCode: await code() })).verificationToken
  }
  const key = service.newKey()
  const boundToken = async () => {
    world.advance(200_000)
    const { otpId, otpEncryptionTargetBundle } = await ask('otp_init_v2', init)
    const said = { otp_code: await code(), public_key: key.publicKey }
    const bundle = encrypted(said, otpEncryptionTargetBundle, service.newKey().privateKey)
    return (await ask('otp_verify_v2', { otpId, encryptedOtpBundle: bundle })).verificationToken
  }

  const first = await boundToken()
  const { message } = getClientSignatureMessageForSignup({ verificationToken: first, email: EMAIL, ...NONE })
  const { r, s } = p256Signer(key.privateKey).sign(hash('sha256', message, 'buffer'))
  const scheme = 'CLIENT_SIGNATURE_SCHEME_API_P256'
  await ask('signup_v2', {
    userName: 'Ada',
    userEmail: EMAIL,
    organizationName: 'Of Ada',
    verificationToken: first,
    ...NONE,
    clientSignature: { message, publicKey: key.publicKey, scheme, signature: r + s },
  })
  await ask('account', { filterType: 'EMAIL', filterValue: EMAIL, verificationToken: first })
  const verificationToken = await boundToken()
  const { publicKey } = service.newKey()
  const clientSignature = loginSignature(key, { token: verificationToken, publicKey })
  await ask('otp_login_v2', { verificationToken, publicKey, clientSignature })
  await ask('otp_login', { verificationToken: await plainToken(), publicKey: service.newKey().publicKey })
  init.contact = 'grace@example.com'
  await ask('signup', { userEmail: init.contact, verificationToken: await plainToken(), ...NONE })

  const provider = 'OAUTH2_PROVIDER_X'
  await service.done(root, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
    provider,
    clientId: oauthClientIds.x,
    encryptedClientSecret: await encryptOauth2ClientSecret('a secret', oauth2),
  })
  const session = service.newKey().publicKey
  const { oidcToken } = await ask('oauth2_authenticate', {
    provider,
    clientId: oauthClientIds.x,
    authCode: 'the-code-of-the-provider',
    redirectUri: 'https://shop.example/back',
    codeVerifier: 'the-verifier-of-the-page',
    nonce: oidcNonceFor(session),
  })
  await call('/v1/signup_v2', { ...NONE, oauthProviders: [{ providerName: 'X', oidcToken }] })
  await ask('oauth_login', { oidcToken, publicKey: session })
  return Object.fromEntries(taken)
}

/** As clients do, who take a new secret from their own randomness: the examples would be others each time. */
function encrypted(said: object, targetBundle: string, ephemeral: Uint8Array): string {
  const target = present(fromHex(JSON.parse(targetBundle).data), 'hexadecimal')
  const { targetPublic } = JSON.parse(present(fromUtf8(target), 'a text'))
  const receiver = present(fromHex(targetPublic), 'hexadecimal')
  const { encappedPublic, ciphertext } = seal({
    receiver,
    info: utf8('turnkey_hpke'),
    aad: (encapped) => concat(encapped, receiver),
    plaintext: utf8(JSON.stringify(said)),
    ephemeral,
  })
  return JSON.stringify({ encappedPublic: toHex(encappedPublic), ciphertext: toHex(ciphertext) })
}
