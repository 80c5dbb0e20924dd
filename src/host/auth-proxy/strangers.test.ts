import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aProxiedService, type ProxiedService } from '../../../test/support/proxied-service.ts'
import { sentMessages } from '../../../test/support/messages.ts'
import type { JsonAnswer } from '../../../test/support/service.ts'
import { aSessionKey, anEthereumWallet, signIn } from '../../../test/support/sign-in.ts'
import { setQuota } from '../../../test/support/set-quota.ts'
import { present } from '../../trusted/base/assert.ts'
import { byToken, mfaSetting } from '../../trusted/activities/mfa/testing/setting.ts'
import {
  aSubOrganization,
  CREATE_SUB_ORGANIZATION,
} from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { readP256Key } from '../../trusted/crypto/p256.ts'
import { EVERY_ORGANIZATION } from '../store/quotas/settings.ts'
import { CodeBounds } from './code-bounds.ts'
import { DayBounds } from './day-bounds.ts'
import { foreignToken, tooManyCodes, tooManySignUps } from './failures.ts'

const SECP256K1 = 'SIGNATURE_SCHEME_TK_API_SECP256K1'
const EMAIL = 'ada@example.com'
const ENDLESS = Number.POSITIVE_INFINITY
const NONE = { apiKeys: [], authenticators: [], oauthProviders: [] }

async function tokenOf({ call, service }: ProxiedService, contact: string, bound = {}): Promise<string> {
  const { json } = await call('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact })
  const { code: otpCode } = present((await sentMessages(service)).at(-1), 'the message with the code')
  return (await call('/v1/otp_verify', { otpId: json.otpId, otpCode, ...bound })).json.verificationToken
}

/** Ada has signed up by mail: her address is her user name too, as for everybody who gives no other. */
async function withAda(proxied: ProxiedService): Promise<string> {
  const body = { userEmail: EMAIL, organizationName: 'Of Ada', ...NONE }
  const verificationToken = await tokenOf(proxied, EMAIL)
  return (await proxied.call('/v1/signup', { ...body, verificationToken })).json.organizationId
}

test('nobody learns who has an account by a name, by an address on a chain, or by asking for all', async (t) => {
  const proxied = await aProxiedService(t)
  await withAda(proxied)
  for (const [filterType, filterValue] of [
    ['USERNAME', EMAIL],
    ['NAME', 'Of Ada'],
    ['', ''],
    ['WALLET_ACCOUNT_ADDRESS', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['VERIFIED_EMAIL', EMAIL],
    ['SUB_ORGANIZATION', ''],
    ['email', EMAIL],
  ]) {
    const { status, json, text } = await proxied.call('/v1/account', { filterType, filterValue })
    assert.equal(status, 403, text)
    assert.match(json.message, /^request not authorized: accounts are only looked up by EMAIL, /)
  }
})

test('a verification token that a stranger wrote tells nothing of the contact in it', async (t) => {
  const proxied = await aProxiedService(t)
  const organizationId = await withAda(proxied)
  const [header, claims = '', signature] = (await tokenOf(proxied, 'eve@example.com')).split('.')
  const about = (contact: string) => {
    const text = Buffer.from(claims, 'base64url').toString().replace('eve@example.com', contact)
    return [header, Buffer.from(text).toString('base64url'), signature].join('.')
  }
  const { publicKey } = proxied.service.newKey()
  const answers = []
  for (const verificationToken of [about(EMAIL), about('nobody@example.com')])
    for (const more of [{}, { organizationId }])
      answers.push(await proxied.call('/v1/otp_login', { verificationToken, publicKey, ...more }))
  for (const { status, json } of answers)
    assert.deepEqual(
      [status, json.message],
      [400, 'invalid verification token: its signature does not verify'],
    )
})

test('a verification token of another organization proves no contact to the proxy', async (t) => {
  const proxied = await aProxiedService(t)
  const { service } = proxied
  await withAda(proxied)
  const mallory = await aSubOrganization(service)
  const [by] = mallory.roots
  await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  const { otpId } = await service.done(by, 'ACTIVITY_TYPE_INIT_OTP', {
    otpType: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
  })
  const { code: otpCode } = present((await sentMessages(service)).at(-1), 'the message with the code')
  const { verificationToken } = await service.done(by, 'ACTIVITY_TYPE_VERIFY_OTP', { otpId, otpCode })
  await assertForeign(proxied, verificationToken)
})

test('the token of a wallet proves no contact to the proxy, though the parent has issued it', async (t) => {
  const proxied = await aProxiedService(t)
  const { service } = proxied
  const key = aSessionKey(service.world)
  const said = await signIn(service.world, anEthereumWallet(service.world), { key })
  const verify = 'ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR'
  const { verificationToken } = await service.done(service.root, verify, said)
  await assertForeign(proxied, verificationToken)
})

/** The proxy takes the token neither for a look-up nor for a login. */
async function assertForeign(
  { call, service }: Awaited<ReturnType<typeof aProxiedService>>,
  verificationToken: string,
): Promise<void> {
  const { publicKey } = service.newKey()
  for (const [path, body] of [
    ['/v1/account', { filterType: 'EMAIL', filterValue: EMAIL, verificationToken }],
    ['/v1/otp_login', { verificationToken, publicKey }],
  ] as const) {
    const { status, json, text } = await call(path, body)
    assert.deepEqual([status, json.message], [403, foreignToken().message], text)
  }
}

test('a token that was got elsewhere signs nobody up, and logs nobody in, where its kind of code is not allowed', async (t) => {
  const proxied = await aProxiedService(t, { allow: { otpEmail: false } })
  const { call, service } = proxied
  const { root } = service
  const { otpId } = await service.done(root, 'ACTIVITY_TYPE_INIT_OTP', {
    otpType: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
  })
  const { code: otpCode } = present((await sentMessages(service)).at(-1), 'the message with the code')
  const { verificationToken } = await service.done(root, 'ACTIVITY_TYPE_VERIFY_OTP', { otpId, otpCode })
  const { publicKey } = service.newKey()
  for (const [path, body] of [
    ['/v1/signup', { userEmail: EMAIL, ...NONE }],
    ['/v1/otp_login', { publicKey }],
    ['/v1/otp_login_v2', { publicKey, clientSignature: {} }],
  ] as const) {
    const { status, json, text } = await call(path, { ...body, verificationToken })
    assert.equal(status, 403, text)
    assert.match(json.message, /^OTP_EMAIL disallowed/)
  }
})

test('the proxy opens no session of the parent itself, whatever its policies are', async (t) => {
  const proxied = await aProxiedService(t)
  const { call, service } = proxied
  const { root } = service
  const { userId, organizationId } = root
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'root@example.com' })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Everything',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${proxied.member.userId}')`,
    condition: 'true',
    notes: '',
  })
  const verificationToken = await tokenOf(proxied, 'root@example.com')
  const { publicKey } = service.newKey()
  for (const [path, more] of [
    ['/v1/otp_login', {}],
    ['/v1/otp_login_v2', { clientSignature: {} }],
  ] as const) {
    const { status, json, text } = await call(path, { verificationToken, publicKey, organizationId, ...more })
    assert.equal(status, 403, text)
    assert.match(json.message, /^request not authorized: only users of sub-organizations log in/)
  }
})

test('a code that the proxy has sent to a user of the parent opens no session of theirs anywhere', async (t) => {
  const proxied = await aProxiedService(t)
  const { service } = proxied
  const { userId } = service.root
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: EMAIL })
  const key = service.newKey()
  const token = await tokenOf(proxied, EMAIL, { publicKey: key.publicKey })
  const { publicKey } = service.newKey()
  const { status, json } = await mfaSetting(service).send(byToken(token, key), 'STAMP_LOGIN', { publicKey })
  assert.equal(status, 401)
  assert.match(json.message, /^no valid user found for the attestation of this stamp/)
})

test('who registers the wallet of somebody else before they come gets neither their login nor keeps it from them', async (t) => {
  const { call, service, config, member } = await aProxiedService(t)
  const wallet = service.newKey(SECP256K1)
  const curveType = 'API_KEY_CURVE_SECP256K1'
  const hers = { apiKeyName: 'Wallet', publicKey: wallet.publicKey, curveType }
  const signUp = async (...apiKeys: readonly object[]) => {
    service.world.advance(1)
    const { status, json, text } = await call('/v1/signup_v2', { ...NONE, apiKeys })
    assert.equal(status, 200, text)
    return json
  }
  const asP256 = (publicKey: string) => ({ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' })
  const lookup = { filterType: 'PUBLIC_KEY', filterValue: wallet.publicKey }
  const account = async () => (await call('/v1/account', lookup)).json.organizationId
  // As published clients log in with a wallet: by the id of the parent.
  const login = async () => {
    service.world.advance(1)
    const { publicKey } = service.newKey()
    const by = { organizationId: config.organizationId, userId: '', key: wallet }
    const { json } = await service.submit(by, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey })
    return json.activity?.organizationId ?? json.turnkeyErrorCode
  }
  const thiefs = service.newKey()
  const { organizationId, userId } = await signUp(asP256(thiefs.publicKey))
  await service.done({ organizationId, userId, key: thiefs }, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId,
    apiKeys: [hers],
  })
  await signUp(asP256(service.newKey().publicKey), hers)
  assert.equal(await account(), undefined)
  // What they made there, such as a wallet whose sentence they have, is no less theirs when they have left.
  const left = { organizationId, userId, key: thiefs }
  const { apiKeys } = (await service.query(left, 'get_api_keys', { userId })).json
  const apiKeyIds = apiKeys
    .filter((apiKey: JsonAnswer) => apiKey.credential.publicKey === thiefs.publicKey)
    .map((apiKey: JsonAnswer) => apiKey.apiKeyId)
  await service.done(left, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds })
  assert.equal(await account(), undefined)

  const { organizationId: own } = await signUp(hers)
  assert.equal(await account(), own)
  await signUp(hers)
  assert.equal(await login(), own)
  await signUp(asP256(service.newKey().publicKey), hers)
  assert.deepEqual([await account(), await login()], [own, own])

  // The proxy asks as its member, and as nobody where that is gone.
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [member.userId] })
  assert.equal((await call('/v1/account', lookup)).status, 401)
})

test('nor does who registers it so that it cannot log in: with an end, or as a key of another curve', async (t) => {
  const { call, service, config } = await aProxiedService(t)
  // Half of all keys of wallets are points of P-256 too.
  let wallet = service.newKey(SECP256K1)
  while (readP256Key(wallet.publicKey) === undefined) wallet = service.newKey(SECP256K1)
  const hers = { apiKeyName: 'Wallet', publicKey: wallet.publicKey, curveType: 'API_KEY_CURVE_SECP256K1' }
  const signUp = async (key: object) => {
    service.world.advance(1)
    return (await call('/v1/signup_v2', { ...NONE, apiKeys: [key] })).json.organizationId
  }
  const lookup = { filterType: 'PUBLIC_KEY', filterValue: wallet.publicKey }
  const account = async () => (await call('/v1/account', lookup)).json.organizationId
  await signUp({ ...hers, expirationSeconds: '600' })
  await signUp({ ...hers, curveType: 'API_KEY_CURVE_P256' })
  assert.equal(await account(), undefined)
  service.world.advance(600_000)

  // As many as are looked at for a login, before and after.
  for (let n = 0; n < 20; n++) await signUp({ ...hers, expirationSeconds: '1' })
  const own = await signUp(hers)
  assert.equal(await account(), own)
  for (let n = 0; n < 5; n++) await signUp({ ...hers, expirationSeconds: '1' })
  assert.equal(await account(), own)
  service.world.advance(1_000)
  const by = { organizationId: config.organizationId, userId: '', key: wallet }
  const { publicKey } = service.newKey()
  const { json, text } = await service.submit(by, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey })
  assert.equal(json.activity?.organizationId, own, text)
  assert.equal(await account(), own)
})

test('codes for one mailbox are counted by network, and one network’s are not another’s', async (t) => {
  const { call } = await aProxiedService(t)
  const ask = async (contact: string, from: string) => {
    const { status } = await call('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact }, { from })
    return status
  }
  const office = '198.51.100.1'
  for (let i = 0; i < 3; i++) assert.equal(await ask(EMAIL, office), 200)
  for (const same of [EMAIL, 'ADA@example.com', 'ada+1@example.com', 'ada+2@example.com'])
    assert.equal(await ask(same, office), 400, same)
  for (let i = 0; i < 10; i++) assert.equal(await ask(`user${i}@example.com`, office), 200)
  assert.equal(await ask(EMAIL, '198.51.100.2'), 200, 'nor does it lock the address')
})

test('a sign-up that costs as much as many requests counts as many for the address that it came from', async (t) => {
  const off = Number.POSITIVE_INFINITY
  const { call, service } = await aProxiedService(t, {
    limits: { address: 1, proxy: off, credential: off, organization: off, contact: off },
  })
  const account = (index: number) => ({
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/44'/60'/0'/0/${index}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  })
  const { publicKey } = service.newKey()
  const signUp = await call('/v1/signup_v2', {
    ...NONE,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    wallet: { walletName: 'Dear', accounts: Array.from({ length: 50 }, (_, index) => account(index)) },
  })
  assert.equal(signUp.status, 200, signUp.text)
  assert.equal((await call('/v1/wallet_kit_config', {})).status, 429)
  assert.equal((await call('/v1/wallet_kit_config', {}, { from: '198.51.100.7' })).status, 200)
})

/** Signs up with a new key, as the holder of a wallet does. */
async function signsUp({ call, service }: ProxiedService, from: string, key = service.newKey()) {
  service.world.advance(1)
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return await call('/v1/signup_v2', { ...NONE, apiKeys }, { from })
}

test('so many may sign up from one network in a day, and what fails keeps nobody out', async (t) => {
  const proxied = await aProxiedService(t, { config: { signUps: { perNetwork: 2 } } })
  const { service } = proxied
  const from = async (address: string) => (await signsUp(proxied, address)).status
  const isNoKey = { ...service.newKey(), publicKey: 'ab' }
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await signsUp(proxied, '2001:db8::1', isNoKey)).status, 400)
  const atOnce = await Promise.all([from('2001:db8::1'), from('2001:db8::2'), from('2001:db8::3')])
  assert.deepEqual(atOnce.toSorted(), [200, 200, 429])
  const { status, json } = await signsUp(proxied, '2001:db8::1')
  assert.deepEqual(
    [status, json.code, json.message],
    [429, 8, 'too many sign-ups today; please try again later'],
  )
  assert.equal(await from('198.51.100.1'), 200)
  const hours = (number: number) => service.world.advance(number * 60 * 60 * 1000)
  hours(23)
  assert.equal(await from('2001:db8::1'), 429)
  hours(1)
  const nextDay = [await from('2001:db8::1'), await from('2001:db8::1'), await from('2001:db8::1')]
  assert.deepEqual(nextDay, [200, 200, 429])
})

test('a clock that was wrong for a while neither begins a day twice nor shuts out all who sign up', () => {
  const hours = (number: number): number => number * 60 * 60 * 1000
  let now = hours(24 * 20_000)
  const bounds = new DayBounds(tooManySignUps, () => now)
  const isTaken = (): boolean => {
    try {
      bounds.take('198.51.100.0', { perNetwork: 1 })
      return true
    } catch {
      return false
    }
  }
  assert.deepEqual([isTaken(), isTaken()], [true, false])
  now -= hours(1)
  assert.equal(isTaken(), false)
  now += hours(24 * 365)
  assert.equal(isTaken(), true)
  now -= hours(24 * 365)
  assert.deepEqual([isTaken(), isTaken()], [true, false])
})

test('strangers from many networks use up the sign-ups of the day, and not the quotas of the tenant', async (t) => {
  const proxied = await aProxiedService(t, { config: { signUps: { perNetwork: 1_000, perDay: 3 } } })
  const { service } = proxied
  const { root, organizationId, world } = service
  await setQuota(service, organizationId, { requests: 5, subOrganizations: 5 })
  await setQuota(service, EVERY_ORGANIZATION, { requests: 0 })
  const statuses = []
  for (let network = 0; network < 10; network++)
    statuses.push((await signsUp(proxied, `198.51.${network}.1`)).status)
  assert.deepEqual(statuses, [200, 200, 200, ...Array.from({ length: 7 }, () => 429)])
  const used = async () =>
    Object.fromEntries(
      (await service.store.quotas.uses(organizationId, world.now())).map((use) => [use.quota, use.used]),
    )
  assert.deepEqual(await used(), { requests: 3, subOrganizations: 3 })
  // The tenant itself goes on: two requests are left, one of which makes a sub-organization.
  const tag = { userTagName: 'Mine', userIds: [] }
  assert.equal((await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)).status, 200)
  await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Mine',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Eve',
        apiKeys: [
          { apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  })
  assert.deepEqual(await used(), { requests: 5, subOrganizations: 4 })
  // At the quota itself a stranger is refused by it, and a sign-up of the day is not used up.
  world.advance(24 * 60 * 60 * 1000)
  await setQuota(service, organizationId, { requests: 2, subOrganizations: 20 })
  const more = []
  for (let n = 0; n < 4; n++) more.push((await signsUp(proxied, '198.51.100.1')).status)
  assert.deepEqual(more, [200, 200, 429, 429])
  await setQuota(service, organizationId, { requests: 6 })
  assert.equal((await signsUp(proxied, '198.51.100.1')).status, 200)
  assert.equal((await signsUp(proxied, '198.51.100.1')).status, 429)
})

test('what the sign-ups of a day leave of a quota is the tenant’s all day, however late they come', async (t) => {
  const proxied = await aProxiedService(t, { config: { signUps: { perNetwork: 1_000, perDay: 3 } } })
  const { service } = proxied
  const { root, organizationId, world } = service
  await setQuota(service, organizationId, { requests: 5 })
  const statuses = []
  for (let hour = 0; hour < 24; hour++) {
    statuses.push((await signsUp(proxied, `198.51.${hour}.1`)).status)
    world.advance(59 * 60 * 1000)
  }
  assert.equal(statuses.filter((status) => status === 200).length, 3)
  const tag = (userTagName: string) => ({ userTagName, userIds: [] })
  for (const name of ['One', 'Two'])
    assert.equal((await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag(name))).status, 200)
})

test('sign-ups that wait for an approval are counted too: each is a request of the tenant', async (t) => {
  const proxied = await aProxiedService(t, {
    config: { signUps: { perNetwork: 1_000, perDay: 2 } },
    withoutPolicies: true,
  })
  const { service, member } = proxied
  const { root, organizationId } = service
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'A person looks at each',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.count() >= 2 && approvers.any(user, user.id == '${member.userId}')`,
    condition: "activity.kind == 'CREATE_SUB_ORGANIZATION'",
    notes: '',
  })
  await setQuota(service, organizationId, { requests: 4 })
  const statuses = []
  for (let network = 0; network < 5; network++)
    statuses.push((await signsUp(proxied, `198.51.${network}.1`)).status)
  assert.deepEqual(statuses, [403, 403, 429, 429, 429])
  const tag = { userTagName: 'Mine', userIds: [] }
  assert.equal((await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)).status, 200)
})

test('how many codes one network may ask for is the operator’s to say', async (t) => {
  const otp = {
    length: 6,
    alphanumeric: false,
    expirationSeconds: 300,
    codesPerNetwork: 2,
    percentOfMessages: 90,
  }
  const { call, service } = await aProxiedService(t, { config: { otp } })
  const ask = async (name: string, from = '2001:db8::1') =>
    await call('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: `${name}@example.com` }, { from })
  assert.equal((await ask('a')).status, 200)
  assert.equal((await ask('b', '2001:db8::2')).status, 200)
  const third = await ask('c')
  assert.equal(third.status, 400)
  assert.match(third.json.message, /^Max number of OTPs have been initiated/)
  assert.equal((await ask('c', '198.51.100.1')).status, 200)
  service.world.advance(90_000)
  assert.equal((await ask('d')).status, 200)
})

test('the codes of strangers leave some messages of the day to the organization, and one network leaves most to others', async (t) => {
  const { call, service } = await aProxiedService(t)
  const { root, organizationId } = service
  await setQuota(service, organizationId, { messages: 120 })
  let asked = 0
  const ask = async (network: number) => {
    // Beyond the limits of three minutes.
    service.world.advance(3_000)
    const contact = `${asked++}@example.com`
    return await call('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact }, { from: `198.51.${network}.1` })
  }
  const sent = async (network: number): Promise<number> => {
    for (let number = 0; ; number++) {
      const { status, json } = await ask(network)
      if (status === 200) continue
      assert.deepEqual(
        [status, json.code, json.message],
        [429, 8, 'too many one-time codes today; please try again later'],
      )
      return number
    }
  }
  assert.deepEqual([await sent(1), await sent(2), await sent(3)], [100, 8, 0])
  // Those that are left are for the organization itself.
  const own = {
    otpType: 'OTP_TYPE_EMAIL',
    contact: 'ada@example.com',
    userIdentifier: 'Ada',
    appName: 'Shop',
  }
  await service.done(root, 'ACTIVITY_TYPE_INIT_OTP_V3', own)
  service.world.advance(24 * 60 * 60 * 1000)
  assert.equal((await ask(1)).status, 200)
})

test('one network has a tenth of the messages of a day, or as many codes as the operator says', async (t) => {
  const { service, config } = await aProxiedService(t)
  await setQuota(service, service.organizationId, { messages: 1_500 })
  for (const [otp, most] of [
    [{}, 150],
    [{ codesPerNetworkInDay: 2 }, 2],
  ] as const) {
    const bounds = new CodeBounds(
      { ...config, otp: { ...config.otp, ...otp, codesPerNetwork: 1_000 } },
      service,
    )
    for (let n = 0; n < most; n++) await bounds.take('198.51.100.0')
    await assert.rejects(bounds.take('198.51.100.0'), tooManyCodes())
    await bounds.take('198.51.101.0')
  }
})

test('a stranger pays for the organizations that are read for a key, however large these are', async (t) => {
  const limits = {
    address: 100,
    proxy: ENDLESS,
    credential: ENDLESS,
    organization: ENDLESS,
    contact: ENDLESS,
  }
  const { service, call } = await aProxiedService(t, { limits })
  const shared = service.newKey().publicKey
  const condition = `'${'x'.repeat(16_000)}' == ''`
  // More than the service keeps in memory.
  for (let n = 0; n < 12; n++) {
    const key = service.newKey()
    const { subOrganizationId: organizationId } = await service.done(service.root, CREATE_SUB_ORGANIZATION, {
      subOrganizationName: 'Large',
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Eve',
          apiKeys: [key.publicKey, shared].map((publicKey) => ({
            apiKeyName: publicKey,
            publicKey,
            curveType: 'API_KEY_CURVE_P256',
          })),
          authenticators: [],
          oauthProviders: [],
        },
      ],
    })
    const policies = Array.from({ length: 55 }, (_, at) => ({
      policyName: `Policy ${at}`,
      effect: 'EFFECT_DENY',
      condition,
      notes: '',
    }))
    await service.done({ organizationId, userId: '', key }, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  }
  const account = async () => await call('/v1/account', { filterType: 'PUBLIC_KEY', filterValue: shared })
  assert.equal((await account()).status, 200)
  let calls = 1
  while ((await account()).status === 200 && calls < 20) calls++
  // They are read twice, for the list and for the holder among them. If one of the two were free, it would be 17.
  assert.ok(calls < 12, `the cost of a call is counted: ${calls}`)
})

test('a stranger pays for the keys of the issuer that their token names', async (t) => {
  const { call, service } = await aProxiedService(t, {
    config: { oauthClientIds: { google: 'web' } },
    limits: { address: 1, proxy: ENDLESS, credential: ENDLESS, organization: ENDLESS, contact: ENDLESS },
    outside: async () => ({
      kind: 'answered',
      text: JSON.stringify({ keys: [], more: 'x'.repeat(200_000) }),
    }),
  })
  const iat = Math.floor(service.world.now() / 1000)
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const claims = { iss: 'https://issuer.example', aud: 'web', sub: 'eve', iat, exp: iat + 3600 }
  const filterValue = `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`
  const { status, json } = await call('/v1/account', { filterType: 'OIDC_TOKEN', filterValue })
  assert.deepEqual([status, json.turnkeyErrorCode], [400, 'INVALID_OIDC_TOKEN'])
  assert.equal((await call('/v1/wallet_kit_config', {})).status, 429)
})
