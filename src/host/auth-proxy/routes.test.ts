import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getClientSignatureMessageForSignup } from '@turnkey/core'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { present } from '../../trusted/base/assert.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { createAuthenticator } from '../../../test/support/software-authenticator.ts'
import { sentMessages } from '../../../test/support/messages.ts'
import { authProxyPolicy } from '../../../test/support/documented-policies.ts'
import { loginSignature, nearly } from '../../../test/support/otp-setting.ts'
import { aProxiedService, ORIGIN, type ProxiedService } from '../../../test/support/proxied-service.ts'
import { aSecondServer, type SecondAnswer } from '../../../test/support/second-server.ts'
import type { JsonAnswer } from '../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../test/support/stamper.ts'
import { p256Signer } from '../../trusted/crypto/p256.ts'
import { hash } from 'node:crypto'

const EMAIL = 'ada@example.com'
const INIT = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL }

function fine({ status, text, json }: SecondAnswer): JsonAnswer {
  assert.equal(status, 200, text)
  return json
}

function refused({ status, json, text }: SecondAnswer, expected: number, message: RegExp): void {
  assert.equal(status, expected, text)
  assert.match(json.message, message)
  assert.ok(Array.isArray(json.details))
}

async function codeOf({ service }: ProxiedService): Promise<string> {
  const message = present((await sentMessages(service)).at(-1), 'the message with the code')
  return present(message.code, 'the code')
}

/** A verification token, bound to a key, by the second version of everything. */
async function tokenOf(proxied: ProxiedService, key: StampKey, contact = EMAIL): Promise<string> {
  const { call, service } = proxied
  const { otpId, otpEncryptionTargetBundle } = fine(await call('/v1/otp_init_v2', { ...INIT, contact }))
  const { otp } = await service.vault.serviceKeys()
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    await codeOf(proxied),
    otpEncryptionTargetBundle,
    key.publicKey,
    otp,
  )
  return fine(await call('/v1/otp_verify_v2', { otpId, encryptedOtpBundle })).verificationToken
}

function signUpBody(verificationToken: string, key: StampKey, userEmail = EMAIL) {
  const credentials = { apiKeys: [], authenticators: [], oauthProviders: [] }
  const { message } = getClientSignatureMessageForSignup({
    verificationToken,
    email: userEmail,
    ...credentials,
  })
  const { r, s } = p256Signer(key.privateKey).sign(hash('sha256', message, 'buffer'))
  return {
    userName: userEmail,
    userEmail,
    organizationName: 'Of Ada',
    verificationToken,
    ...credentials,
    clientSignature: {
      message,
      publicKey: key.publicKey,
      scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
      signature: r + s,
    },
  }
}

test('a browser signs up by mail, is found, logs in and makes a key of its own, without any backend', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const key = service.newKey()
  const verificationToken = await tokenOf(proxied, key)
  const lookup = { filterType: 'EMAIL', filterValue: EMAIL, verificationToken }
  assert.deepEqual(fine(await call('/v1/account', lookup)), {})

  const signedUp = fine(await call('/v1/signup_v2', signUpBody(verificationToken, key)))
  assert.deepEqual(Object.keys(signedUp).toSorted(), ['appProofs', 'organizationId', 'userId'])
  const { organizationId, userId } = signedUp
  assert.deepEqual(fine(await call('/v1/account', lookup)), { organizationId })

  service.world.advance(60_000)
  const again = await tokenOf(proxied, key)
  const session = service.newKey()
  const clientSignature = loginSignature(key, { token: again, publicKey: session.publicKey })
  const login = { verificationToken: again, publicKey: session.publicKey, clientSignature }
  const answer = fine(await call('/v1/otp_login_v2', login))
  assert.deepEqual(Object.keys(answer), ['session'])

  const ada = { organizationId, userId, key: session }
  const { json } = await service.query(ada, 'whoami')
  assert.deepEqual([json.organizationId, json.userId], [organizationId, userId])
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: 'Mine', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  const expiry = JSON.parse(Buffer.from(answer.session.split('.')[1], 'base64url').toString()).exp
  assert.equal(expiry, Math.floor((service.world.now() - 1) / 1000) + 900)
})

test('a clock that was an hour ahead, or is set back by an hour, keeps no caller out', async (t) => {
  const { call, service } = await aProxiedService(t)
  const { world } = service
  fine(await call('/v1/otp_init_v2', INIT))
  world.setClock(world.now() - 3_600_000)
  fine(await call('/v1/otp_init_v2', INIT))
  world.setClock(world.now() + 2 * 3_600_000)
  fine(await call('/v1/otp_init_v2', INIT))
  world.setClock(world.now() - 3_600_000)
  fine(await call('/v1/otp_init_v2', INIT))
})

test('the older versions work with plain codes and tokens that are bound to no key', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const { otpId, ...more } = fine(await call('/v1/otp_init', INIT))
  assert.deepEqual(more, {})
  const verify = { otpId, otpCode: await codeOf(proxied) }
  const { verificationToken } = fine(await call('/v1/otp_verify', verify))
  const signUp = { userEmail: EMAIL, verificationToken, apiKeys: [], authenticators: [], oauthProviders: [] }
  const { organizationId } = fine(await call('/v1/signup', signUp))
  const session = service.newKey()
  const second = fine(await call('/v1/otp_init', INIT))
  const token = fine(
    await call('/v1/otp_verify', { otpId: second.otpId, otpCode: await codeOf(proxied) }),
  ).verificationToken
  fine(
    await call('/v1/otp_login', { verificationToken: token, publicKey: session.publicKey, organizationId }),
  )
  const { status } = await service.query({ organizationId, userId: '', key: session }, 'whoami')
  assert.equal(status, 200)
})

test('the older versions work with plain codes and tokens that are bound to a key, as the client of Kotlin sends them', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const key = service.newKey()
  const { publicKey } = key
  const { otpId } = fine(await call('/v1/otp_init', INIT))
  const verify = { otpId, otpCode: await codeOf(proxied), publicKey }
  const { verificationToken } = fine(await call('/v1/otp_verify', verify))
  const body = signUpBody(verificationToken, key)
  const { signupV2, ...about } = JSON.parse(body.clientSignature.message)
  const message = JSON.stringify({ signup: signupV2, ...about })
  const { r, s } = p256Signer(key.privateKey).sign(hash('sha256', message, 'buffer'))
  const clientSignature = { ...body.clientSignature, message, signature: r + s }

  const { organizationId, userId } = fine(await call('/v1/signup', { ...body, clientSignature }))
  const login = {
    verificationToken,
    publicKey,
    clientSignature: loginSignature(key, { token: verificationToken, publicKey }),
    invalidateExisting: false,
  }
  fine(await call('/v1/otp_login', login))

  const { json } = await service.query({ organizationId, userId, key }, 'whoami')
  assert.equal(json.userId, userId)
  const stranger = service.newKey()
  const unsigned = { verificationToken, publicKey: stranger.publicKey }
  refused(await call('/v1/otp_login', unsigned), 400, /invalid client signature: it is missing/)
})

test('the texts that published clients search for are there', async (t) => {
  const { call } = await aProxiedService(t, { allow: { oauth: false } })
  refused(await call('/v1/oauth_login', { oidcToken: 'a.b.c', publicKey: '02' }), 403, /OAUTH disallowed/)
  const first = fine(await call('/v1/otp_init', INIT))
  refused(await call('/v1/otp_verify', { otpId: first.otpId, otpCode: '12345x' }), 400, /^Invalid OTP code/)
  for (let i = 0; i < 2; i++) fine(await call('/v1/otp_init', INIT))
  refused(await call('/v1/otp_init', INIT), 400, /^Max number of OTPs have been initiated/)
})

test('a wrong code is refused three times, and then the right one too', async (t) => {
  const proxied = await aProxiedService(t)
  const { otpId } = fine(await proxied.call('/v1/otp_init', INIT))
  const code = await codeOf(proxied)
  for (const otpCode of [nearly(code), nearly(code), nearly(code), code])
    refused(await proxied.call('/v1/otp_verify', { otpId, otpCode }), 400, /^Invalid OTP code/)
})

test('where a code was asked for from is in the record as a text that does not tell it', async (t) => {
  const { service, config } = await aProxiedService(t)
  const other = await service.user('Other proxy')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', authProxyPolicy(other))
  const { privateKey, publicKey: apiPublicKey } = other.key
  const configs = [
    config,
    { ...config, configId: 'other', apiPublicKey, apiPrivateKey: new Secret(privateKey) },
  ]
  const server = await aSecondServer(t, service, { authProxy: configs })
  const of = async (from: string, configId = 'shop') => {
    service.world.advance(200_000)
    const headers = { origin: ORIGIN, 'x-auth-proxy-config-id': configId }
    fine(await server.post('/v1/otp_init', INIT, { from, headers }))
    const { json } = await service.query(service.root, 'list_activities', {
      filterByType: ['ACTIVITY_TYPE_INIT_OTP'],
      paginationOptions: { limit: '1' },
    })
    return json.activities[0].intent.initOtpIntent.userIdentifier
  }
  const one = await of('2001:db8::1')
  assert.match(one, /^[0-9a-f]{64}$/)
  assert.equal(await of('2001:db8::2'), one)
  assert.notEqual(await of('198.51.100.9'), one)
  // Without the key of the configuration nobody finds a network by trying all of them.
  assert.notEqual(await of('2001:db8::1', 'other'), one)
})

test('only the origin that is allowed is told that it may read', async (t) => {
  const { call, server } = await aProxiedService(t)
  const allowed = await call('/v1/wallet_kit_config', {})
  assert.equal(allowed.headers.get('access-control-allow-origin'), ORIGIN)
  assert.equal(allowed.headers.get('vary'), 'origin')
  for (const origin of ['https://shop.example.evil', 'https://SHOP.example', 'http://shop.example', 'null']) {
    const other = await call('/v1/wallet_kit_config', {}, { headers: { origin } })
    refused(other, 403, /^request not authorized: origin /)
    assert.equal(other.headers.get('access-control-allow-origin'), null)
  }
  const none = await server.post(
    '/v1/wallet_kit_config',
    {},
    { headers: { 'x-auth-proxy-config-id': 'shop' } },
  )
  refused(none, 403, /has no origin/)
  const ask = { 'access-control-request-method': 'POST' }
  const preflight = await server.preflight('/v1/signup_v2', { origin: ORIGIN, ...ask })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN)
  const names = preflight.headers.get('access-control-allow-headers') ?? ''
  for (const name of ['content-type', 'x-auth-proxy-config-id', 'x-captcha-token'])
    assert.ok(names.includes(name))
  const stranger = await server.preflight('/v1/signup_v2', { origin: 'https://evil.example', ...ask })
  assert.equal(stranger.headers.get('access-control-allow-origin'), null)
})

test('a configuration for any origin answers each of them, and callers without one', async (t) => {
  const { call, server } = await aProxiedService(t, { config: { allowedOrigins: ['*'] } })
  const answer = await call('/v1/wallet_kit_config', {}, { headers: { origin: 'https://any.example' } })
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://any.example')
  fine(await server.post('/v1/wallet_kit_config', {}, { headers: { 'x-auth-proxy-config-id': 'shop' } }))
})

test('an unknown configuration, or none, is not found, whatever the origin', async (t) => {
  const { call, server } = await aProxiedService(t)
  for (const id of ['other', '', 'shop,shop', 'SHOP'])
    refused(
      await call('/v1/wallet_kit_config', {}, { headers: { 'x-auth-proxy-config-id': id } }),
      404,
      /^no auth proxy configuration/,
    )
  refused(await server.post('/v1/account', {}), 404, /^no auth proxy configuration/)
})

test('another method than POST is not allowed at the auth proxy', async (t) => {
  const { server } = await aProxiedService(t)
  const beside = await fetch(`${server.url}/v1/accounts`, { method: 'POST' })
  assert.match(await beside.text(), /"no such operation: POST \/v1\/accounts"/)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await fetch(`${server.url}/v1/account`, { method })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST, OPTIONS'])
    const message = `method ${method} is not allowed at /v1/account; send POST`
    assert.deepEqual(await answer.json(), { code: 12, message, details: [] })
  }
})

test('without a configuration there is no auth proxy', async (t) => {
  const { service } = await aProxiedService(t)
  const { status, json } = await service.post('/v1/wallet_kit_config', '{}', {})
  assert.deepEqual([status, json.code], [404, 5])
  assert.equal(
    json.message,
    'no such operation: POST /v1/wallet_kit_config: this service has no auth proxy; its operator sets one up with CLAVIGER_AUTH_PROXY',
  )
})

test('a page learns what it may offer', async (t) => {
  const { call, config } = await aProxiedService(t, {
    allow: { otpSms: false },
    config: { oauthClientIds: { google: 'web' }, oauthRedirectUrl: 'https://shop.example/back' },
  })
  assert.deepEqual(fine(await call('/v1/wallet_kit_config', {})), {
    enabledProviders: ['google', 'email', 'passkey', 'wallet'],
    sessionExpirationSeconds: '900',
    organizationId: config.organizationId,
    oauthClientIds: { google: 'web' },
    oauthRedirectUrl: 'https://shop.example/back',
    otpAlphanumeric: false,
    otpLength: '6',
  })
  assert.deepEqual(fine(await call('/v1/wallet_kit_client_params', {})), {})
})

test('an empty body is an empty object, whatever it calls itself, and nothing else is', async (t) => {
  const { call, server, service } = await aProxiedService(t)
  for (const path of ['/v1/wallet_kit_config', '/v1/wallet_kit_client_params'])
    assert.deepEqual(fine(await call(path, '')), fine(await call(path, {})))
  const headers = { origin: ORIGIN, 'x-auth-proxy-config-id': 'shop' }
  const ask = async (more: Record<string, string>, body?: ReadableStream) => {
    const init = { method: 'POST', headers: { ...headers, ...more }, ...(body && { body, duplex: 'half' }) }
    return (await fetch(`${server.url}/v1/wallet_kit_config`, init)).status
  }
  assert.deepEqual([await ask({}), await ask({ 'content-type': 'text/plain' })], [200, 200])
  assert.equal(await ask({}, new Blob([]).stream()), 200)

  for (const body of [' ', '\n', '\ufeff', 'null', '[]', '""'])
    refused(await call('/v1/wallet_kit_config', body), 400, /^bad request body: /)
  // What the other endpoints need is missing as it is from an empty object.
  for (const name of [
    'account',
    'otp_init_v2',
    'otp_verify_v2',
    'otp_login_v2',
    'oauth_login',
    'signup_v2',
  ]) {
    const [empty, object] = [await call(`/v1/${name}`, ''), await call(`/v1/${name}`, {})]
    refused(empty, 400, /missing|required|must|needs/)
    assert.equal(empty.text, object.text)
  }
  const query = await service.post('/public/v1/query/whoami', '', {})
  assert.deepEqual(
    [query.status, query.json.message],
    [400, 'bad request body: ended before a value at byte 0'],
  )
})

test('a body is read as that of every request is: unset fields, and names in snake_case, each once', async (t) => {
  const { call } = await aProxiedService(t)
  const contact = 'ada@example.com'
  const inSnakeCase = {
    otp_type: 'OTP_TYPE_EMAIL',
    contact,
    email_customization: { template_id: '' },
    newer: [],
  }
  assert.deepEqual(Object.keys(fine(await call('/v1/otp_init_v2', inSnakeCase))).toSorted(), [
    'otpEncryptionTargetBundle',
    'otpId',
  ])
  refused(
    await call('/v1/otp_init', { ...inSnakeCase, otpType: 'OTP_TYPE_SMS' }),
    400,
    /`otpType` is given twice/,
  )
  refused(await call('/v1/otp_init', { ...inSnakeCase, newer: 1 }), 400, /`newer` is not a field/)
  assert.deepEqual(fine(await call('/v1/wallet_kit_client_params', { newer: null })), {})
})

test('a phone number signs up, is found and logs in, for as long as the configuration says', async (t) => {
  const contact = '+15551234567'
  const sender = { sendFromEmailAddress: 'hello@shop.example', replyToEmailAddress: 'help@shop.example' }
  const otp = {
    length: 7,
    alphanumeric: true,
    expirationSeconds: 120,
    codesPerNetwork: 100,
    percentOfMessages: 90,
  }
  const proxied = await aProxiedService(t, { config: { sessionExpirationSeconds: 600, otp, sender } })
  const { call, service } = proxied
  const intents = async () => {
    const filterByType = ['ACTIVITY_TYPE_INIT_OTP']
    const { json } = await service.query(service.root, 'list_activities', { filterByType })
    return json.activities.map(({ intent }: JsonAnswer) => intent.initOtpIntent)
  }
  const { otpId } = fine(await call('/v1/otp_init', { otpType: 'OTP_TYPE_SMS', contact }))
  const otpCode = await codeOf(proxied)
  assert.match(otpCode, /^[0-9A-Z]{7}$/)
  const { verificationToken } = fine(await call('/v1/otp_verify', { otpId, otpCode }))
  const lookup = { filterType: 'PHONE_NUMBER', filterValue: contact, verificationToken }
  assert.deepEqual(fine(await call('/v1/account', lookup)), {})
  const none = { apiKeys: [], authenticators: [], oauthProviders: [] }
  const body = { userPhoneNumber: contact, verificationToken, ...none }
  refused(await call('/v1/signup', { ...body, userTag: 'vip' }), 400, /userTag/)
  const { organizationId } = fine(await call('/v1/signup', body))
  assert.deepEqual(fine(await call('/v1/account', lookup)), { organizationId })
  const { publicKey } = service.newKey()
  const { session } = fine(await call('/v1/otp_login', { verificationToken, publicKey }))
  const claims = JSON.parse(Buffer.from(session.split('.')[1], 'base64url').toString())
  assert.equal(claims.organization_id, organizationId)
  assert.equal(claims.exp, Math.floor((service.world.now() - 1) / 1000) + 600)

  // The mail names the sender of the configuration, and the text message none.
  fine(await call('/v1/otp_init', INIT))
  const [mail, text] = await intents()
  assert.deepEqual([mail.expirationSeconds, text.expirationSeconds], ['120', '120'])
  assert.deepEqual(
    [mail.sendFromEmailAddress, mail.replyToEmailAddress, text.sendFromEmailAddress],
    [sender.sendFromEmailAddress, sender.replyToEmailAddress, undefined],
  )
})

test('what the configuration does not allow is refused, each way of it', async (t) => {
  const proxied = await aProxiedService(t, {
    allow: { otpEmail: false, otpSms: false, passkey: false, wallet: false, oauth: false },
  })
  const { call } = proxied
  const apiKeys = [
    { apiKeyName: 'Wallet', publicKey: proxied.service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  const none = { apiKeys: [], authenticators: [], oauthProviders: [] }
  const sms = { otpType: 'OTP_TYPE_SMS', contact: '+15551234567' }
  refused(await call('/v1/otp_init', INIT), 403, /^OTP_EMAIL disallowed/)
  refused(await call('/v1/otp_init_v2', sms), 403, /^OTP_SMS disallowed/)
  refused(await call('/v1/signup_v2', { ...none, apiKeys }), 403, /^WALLET disallowed/)
  refused(await call('/v1/signup_v2', { ...none, authenticators: [{}] }), 403, /^PASSKEY disallowed/)
  refused(
    await call('/v1/signup_v2', { ...none, oauthProviders: [{ providerName: 'G' }] }),
    403,
    /^OAUTH disallowed/,
  )
  const exchange = { authCode: 'c', redirectUri: 'r', codeVerifier: 'v', nonce: 'n', clientId: 'i' }
  refused(
    await call('/v1/oauth2_authenticate', { provider: 'OAUTH2_PROVIDER_X', ...exchange }),
    403,
    /^OAUTH disallowed/,
  )
  const closed = await aProxiedService(t, { allow: { signup: false } })
  refused(await closed.call('/v1/signup_v2', { ...none, apiKeys }), 403, /^SIGNUP disallowed/)
  refused(await closed.call('/v1/signup', { ...none, apiKeys }), 403, /^SIGNUP disallowed/)
  const open = await aProxiedService(t)
  refused(await open.call('/v1/signup_v2', none), 400, /a sign-up needs/)
})

test('a wallet signs up with its key, and is found by it', async (t) => {
  const { call, service } = await aProxiedService(t)
  const wallet = service.newKey('SIGNATURE_SCHEME_TK_API_SECP256K1')
  const lookup = { filterType: 'PUBLIC_KEY', filterValue: wallet.publicKey }
  assert.deepEqual(fine(await call('/v1/account', lookup)), {})
  const apiKeys = [
    { apiKeyName: 'Wallet', publicKey: wallet.publicKey, curveType: 'API_KEY_CURVE_SECP256K1' },
  ]
  const body = { userName: 'Wally', apiKeys, authenticators: [], oauthProviders: [] }
  const { organizationId, userId } = fine(await call('/v1/signup_v2', body))
  assert.deepEqual(fine(await call('/v1/account', lookup)), { organizationId })
  const { json } = await service.query({ organizationId, userId, key: wallet }, 'whoami')
  assert.equal(json.username, 'Wally')
})

test('a passkey signs up with the key of its first login beside it, as clients send it, where wallets may not', async (t) => {
  const { call, service } = await aProxiedService(t, { allow: { wallet: false } })
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const first = service.newKey()
  const challenge = 'AAAA'
  const signUp = {
    userName: 'Pass',
    organizationName: 'Of Pass',
    authenticators: [
      { authenticatorName: 'Phone', challenge, attestation: passkey.register(challenge, ORIGIN) },
    ],
    apiKeys: [
      {
        apiKeyName: 'First login',
        publicKey: first.publicKey,
        curveType: 'API_KEY_CURVE_P256',
        expirationSeconds: '60',
      },
    ],
    oauthProviders: [],
  }
  const { organizationId, userId } = fine(await call('/v1/signup_v2', signUp))
  service.world.advance(1)
  refused(await call('/v1/signup_v2', signUp), 400, /has been registered before/)
  const session = service.newKey()
  await service.done({ organizationId, userId, key: first }, 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: session.publicKey,
    expirationSeconds: '900',
  })
  const { json } = await service.query({ organizationId, userId, key: session }, 'get_authenticators', {
    userId,
  })
  assert.equal(json.authenticators[0].credentialId, passkey.credentialId)
})

test('whether a contact has an account is told only to who proves the contact', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const key = service.newKey()
  const verificationToken = await tokenOf(proxied, key)
  fine(await call('/v1/signup_v2', signUpBody(verificationToken, key)))
  const other = await tokenOf(proxied, key, 'ben@example.com')
  const [header, claims = '', signature] = verificationToken.split('.')
  const forged = Buffer.from(claims, 'base64url').toString().replace('"id":"', '"id":"0')
  const asked = (token: object) => call('/v1/account', { filterType: 'EMAIL', filterValue: EMAIL, ...token })
  refused(await asked({}), 403, /needs a verification token/)
  refused(await asked({ verificationToken: other }), 403, /needs a verification token/)
  refused(
    await asked({
      verificationToken: [header, Buffer.from(forged).toString('base64url'), signature].join('.'),
    }),
    400,
    /^invalid verification token/,
  )
  refused(await asked({ verificationToken: 'junk' }), 400, /^invalid verification token/)
  refused(
    await call('/v1/account', { filterType: 'PHONE_NUMBER', filterValue: EMAIL, verificationToken }),
    403,
    /needs a verification token/,
  )
  assert.ok(fine(await asked({ verificationToken })).organizationId)
  service.world.advance(3_600_001)
  refused(await asked({ verificationToken }), 400, /expired/)
})

test('an account that only claims a contact is not found by it', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const apiKeys = [
    { apiKeyName: 'K', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  fine(await call('/v1/signup_v2', { userEmail: EMAIL, apiKeys, authenticators: [], oauthProviders: [] }))
  const key = service.newKey()
  const verificationToken = await tokenOf(proxied, key)
  const lookup = { filterType: 'EMAIL', filterValue: EMAIL, verificationToken }
  assert.deepEqual(fine(await call('/v1/account', lookup)), {})
  const clientSignature = loginSignature(key, { token: verificationToken, publicKey: key.publicKey })
  refused(
    await call('/v1/otp_login_v2', { verificationToken, publicKey: key.publicKey, clientSignature }),
    404,
    /^no organization found for this login/,
  )
})

test('the proxy may do what the policies allow its key, and tells nobody what they are', async (t) => {
  const { call, service } = await aProxiedService(t, { withoutPolicies: true })
  const answer = await call('/v1/otp_init', INIT)
  const told = { code: 7, message: "You don't have sufficient permissions to take this action.", details: [] }
  assert.deepEqual([answer.status, answer.json], [403, told])
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'None',
    effect: 'EFFECT_DENY',
    condition: "activity.resource == 'OTP'",
    notes: '',
  })
  assert.deepEqual((await call('/v1/otp_init', INIT)).json, told)
})

test('where the policies want more approvals, nothing is handed out', async (t) => {
  const { call, service, member } = await aProxiedService(t, { withoutPolicies: true })
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.count() >= 2 && approvers.any(user, user.id == '${member.userId}')`,
    condition: 'true',
    notes: '',
  })
  refused(await call('/v1/otp_init', INIT), 403, /do not let the auth proxy do this by itself/)
})

test('a list of allowed addresses does not hold up the proxy, which comes from none', async (t) => {
  const { call, service } = await aProxiedService(t)
  await service.done(service.root, 'ACTIVITY_TYPE_SET_IP_ALLOWLIST', {
    rules: [{ cidr: '203.0.113.0/24' }],
    enabled: true,
  })
  fine(await call('/v1/otp_init', INIT))
})

test('the same thing asked for twice in one instant is two requests', async (t) => {
  const { call } = await aProxiedService(t)
  const both = await Promise.all([call('/v1/otp_init', INIT), call('/v1/otp_init', INIT)])
  const [one, two] = both.map(fine)
  assert.notEqual(one.otpId, two.otpId)
})

test('calls of the proxy have a limit of their own, and contacts theirs', async (t) => {
  const off = Number.POSITIVE_INFINITY
  const { call, server, service } = await aProxiedService(t, {
    limits: { address: off, proxy: 1, credential: 1, organization: 1, contact: 2 },
  })
  const asked = (from: string) => call('/v1/wallet_kit_config', {}, { from })
  for (let i = 0; i < 15; i++) fine(await asked('198.51.100.1'))
  const limited = await asked('198.51.100.1')
  refused(limited, 429, /^Too many requests\./)
  assert.equal(limited.headers.get('ratelimit-limit'), '1')
  assert.equal(limited.headers.get('access-control-allow-origin'), ORIGIN)
  const [near, far] = ['198.51.100.2', '198.51.100.3']
  for (let i = 0; i < 2; i++) fine(await call('/v1/otp_init', INIT, { from: near }))
  refused(await call('/v1/otp_init', INIT, { from: near }), 429, /^Too many requests\./)
  // One place does not use up what a mailbox takes.
  fine(await call('/v1/otp_init', INIT, { from: far }))
  service.world.advance(300_000)
  fine(await call('/v1/otp_init', INIT, { from: far }))
  const contact = await call('/v1/otp_init', INIT, { from: '198.51.100.4' })
  refused(contact, 429, /^Too many requests\./)
  assert.equal(contact.headers.get('ratelimit-limit'), '2')
  // What all callers do together is not counted for the one key that they share.
  for (let i = 0; i < 10; i++)
    fine(await call('/v1/otp_init', { ...INIT, contact: `x${i}@example.com` }, { from: `192.0.2.${i}` }))
  assert.deepEqual(server.limited, ['proxy', 'contact', 'contact'])
})

test('what the proxy is refused writes to nobody, and uses up nothing of a mailbox', async (t) => {
  const off = Number.POSITIVE_INFINITY
  const { call, service, member } = await aProxiedService(t, {
    limits: { address: off, proxy: off, credential: off, organization: off, contact: 2 },
    withoutPolicies: true,
  })
  for (let i = 0; i < 3; i++) refused(await call('/v1/otp_init_v2', INIT), 403, /sufficient permissions/)
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', authProxyPolicy(member))
  for (let i = 0; i < 2; i++) fine(await call('/v1/otp_init_v2', INIT))
  refused(await call('/v1/otp_init_v2', INIT), 429, /^Too many requests\./)
})

test('who sends long bodies, or guesses configurations, uses up the calls of their address', async (t) => {
  const off = Number.POSITIVE_INFINITY
  const { call } = await aProxiedService(t, {
    limits: { address: 1, proxy: 1, credential: off, organization: off, contact: off },
  })
  const statuses = async (count: number, body: object, how: object) =>
    await Promise.all(
      Array.from({ length: count }, async () => (await call('/v1/wallet_kit_config', body, how)).status),
    )
  const long = { newer: null, more: ''.padEnd(1_000_000) }
  const from = '198.51.100.1'
  // As for every request, a megabyte counts as fifty.
  assert.deepEqual(await statuses(1, long, { from }), [400])
  assert.deepEqual(await statuses(1, {}, { from }), [429])
  const guess = { from: '198.51.100.2', headers: { 'x-auth-proxy-config-id': 'guess' } }
  assert.deepEqual((await statuses(7, {}, guess)).toSorted(), [404, 404, 404, 404, 404, 429, 429])
})

test('a body of any content is answered, and never with a bug', async (t) => {
  const { call, server } = await aProxiedService(t)
  const paths = ['account', 'otp_init', 'otp_verify_v2', 'otp_login_v2', 'oauth_login', 'signup_v2']
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), async (path, body) => {
      const { status } = await call(`/v1/${path}`, Object(body))
      assert.ok(status >= 400 && status < 500)
    }),
    { numRuns: 100 },
  )
  const broken = await server.post('/v1/account', '{', {
    headers: { origin: ORIGIN, 'x-auth-proxy-config-id': 'shop' },
  })
  refused(broken, 400, /^bad request body/)
})

test('a stamp of the caller is nothing to the proxy', async (t) => {
  const { call, service } = await aProxiedService(t, { withoutPolicies: true })
  const { stampHeaderName, stampHeaderValue } = stampWith(service.root.key, JSON.stringify(INIT))
  refused(await call('/v1/otp_init', INIT, { headers: { [stampHeaderName]: stampHeaderValue } }), 403, /./)
})
