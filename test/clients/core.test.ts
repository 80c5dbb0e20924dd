import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { verifySessionJwtSignature } from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import { anIssuer, type TestIssuer } from '../support/issuer.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import { type BrowserPage, browserPage } from './browser-page.ts'
import { codeIn } from './inbox.ts'
import { inBrowsers, moduleGraph } from './module-graph.ts'
import { newAddress } from './one-time-code.ts'
import { aProxiedSetting } from './proxied-setting.ts'
import type { Setting } from './setting.ts'

// The published @turnkey/core in a browser, with the service's auth proxy in the place of a backend of its own.
const CONFIG_ID = 'core-in-a-browser'

// Of the two libraries for chains it imports a few functions, for transactions that nothing here makes.
const standIns = {
  ...inBrowsers,
  viem: 'export const encodeFunctionData = undefined',
  ethers: 'export const keccak256 = undefined, toUtf8String = undefined, toUtf8Bytes = undefined',
}

const SCRIPT = `
import { TurnkeyClient } from '@turnkey/core'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'

let core
globalThis.open = async (config) => {
  core = new TurnkeyClient({ ...config, passkeyConfig: { rpId: location.hostname } })
  await core.init()
}
globalThis.newKey = () => core.createApiKeyPair()
globalThis.session = () => core.getSession()
// Errors cross over to the test as text, with what they were made of.
globalThis.core = async (name, params) => {
  try {
    return { done: (await core[name](params)) ?? null }
  } catch (error) {
    return { failed: [error.message, String(error.cause ?? '')].join(': ') }
  }
}
globalThis.http = async (name, params) => {
  try {
    return { done: await core.httpClient[name](params) }
  } catch (error) {
    return { failed: [error.message, String(error.cause ?? '')].join(': ') }
  }
}
globalThis.encryptCode = encryptOtpCodeToBundle
`

type Outcome<T> = { readonly done?: T; readonly failed?: string }
type Session = { readonly sessionToken: string; readonly action?: string }
type World = { readonly setting: Setting; readonly page: BrowserPage; readonly issuer: TestIssuer }

const available = chromiumAvailable() ? await aWorld() : undefined
after(async () => {
  await available?.page.close()
  await available?.issuer.close()
  await available?.setting.service.kill()
})

withCore('a passkey signs up, logs out, and logs in again', async ({ setting, page }) => {
  const signedUp = await core<Session>(page, 'signUpWithPasskey', {
    passkeyDisplayName: 'Laptop',
    createSubOrgParams: { userName: 'Ada' },
  })
  assert.ok(await verifySessionJwtSignature(signedUp.sessionToken, setting.keys.session))
  const first = await whoami(page)
  await signIn(page)
  await core(page, 'logout', {})
  assert.match(present((await http(page, 'getWhoami')).failed, 'no session is left'), /session/i)

  const again = await core<Session>(page, 'loginWithPasskey', {})
  assert.ok(await verifySessionJwtSignature(again.sessionToken, setting.keys.session))
  assert.deepEqual(await whoami(page), first)
  await signIn(page)
})

withCore(
  'an account elsewhere signs up the first time, and logs in the next',
  async ({ setting, page, issuer }) => {
    const complete = async (): Promise<Session> => {
      const publicKey = await page.call<string>('newKey')
      const nonce = createHash('sha256').update(publicKey).digest('hex')
      const oidcToken = await issuer.token({ subject: 'core', nonce })
      return await core<Session>(page, 'completeOauth', { oidcToken, publicKey, providerName: 'Example' })
    }
    const signedUp = await complete()
    assert.match(String(signedUp.action), /sign_?up/i)
    assert.ok(await verifySessionJwtSignature(signedUp.sessionToken, setting.keys.session))
    const first = await whoami(page)
    await core(page, 'logout', {})
    const loggedIn = await complete()
    assert.match(String(loggedIn.action), /log_?in/i)
    assert.deepEqual(await whoami(page), first)
    await signIn(page)
  },
)

withCore(
  'a code by mail signs up and logs in, but for the one step that is pinned to the keys it was published with',
  async ({ setting, page }) => {
    const contact = newAddress('core')
    const signUp = { contact, otpType: 'OTP_TYPE_EMAIL', createSubOrgParams: { userName: 'Grace' } }
    const { verificationToken } = await verifiedCode(setting, page, contact, 1)
    const signedUp = await core<Session>(page, 'signUpWithOtp', { ...signUp, verificationToken })
    assert.ok(await verifySessionJwtSignature(signedUp.sessionToken, setting.keys.session))
    const first = await whoami(page)
    await core(page, 'logout', {})

    // Without an organization: it is found by the contact that the token proves.
    const later = await verifiedCode(setting, page, contact, 2)
    const loggedIn = await core<Session>(page, 'loginWithOtp', later)
    assert.ok(await verifySessionJwtSignature(loggedIn.sessionToken, setting.keys.session))
    assert.deepEqual(await whoami(page), first)
    await signIn(page)
  },
)

/**
 * Asks for a code and has it verified. `verifyOtp` of the client, and `completeOtp` with it, accept targets of one
 * other service only; the function it calls takes the key of this service, when it is called without it.
 */
async function verifiedCode(
  { inbox, keys }: Setting,
  page: BrowserPage,
  contact: string,
  messages: number,
): Promise<{ readonly verificationToken: string }> {
  const initiated = await core<{ otpId: string; otpEncryptionTargetBundle: string }>(page, 'initOtp', {
    otpType: 'OTP_TYPE_EMAIL',
    contact,
  })
  const { otpId, otpEncryptionTargetBundle } = initiated
  const otpCode = codeIn(await inbox.newest(contact, messages))
  const pinned = await page.call<Outcome<unknown>>('core', 'verifyOtp', { ...initiated, otpCode })
  assert.match(present(pinned.failed, 'it is pinned'), /does not match|signer|public key/i)

  const publicKey = await page.call<string>('newKey')
  const encryptedOtpBundle = await page.call(
    'encryptCode',
    otpCode,
    otpEncryptionTargetBundle,
    publicKey,
    keys.otp,
  )
  const verified = await http<{ verificationToken: string }>(page, 'proxyVerifyOtpV2', {
    otpId,
    encryptedOtpBundle,
  })
  return { verificationToken: present(verified.done, String(verified.failed)).verificationToken }
}

async function whoami(page: BrowserPage): Promise<readonly [organizationId: string, userId: string]> {
  const { done, failed } = await http<{ organizationId: string; userId: string }>(page, 'getWhoami')
  const { organizationId, userId } = present(done, String(failed))
  return [organizationId, userId]
}

/** Makes a key and signs with it, in the session of the client. */
async function signIn(page: BrowserPage): Promise<void> {
  const made = await http<{ privateKeys: { privateKeyId: string }[] }>(page, 'createPrivateKeys', {
    privateKeys: [
      {
        privateKeyName: `Key ${crypto.randomUUID()}`,
        curve: 'CURVE_ED25519',
        privateKeyTags: [],
        addressFormats: [],
      },
    ],
  })
  const { privateKeys } = present(made.done, String(made.failed))
  const signed = await http<{ r: string; s: string }>(page, 'signRawPayload', {
    signWith: present(privateKeys[0], 'the new key').privateKeyId,
    payload: 'from core',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  })
  assert.match(present(signed.done, String(signed.failed)).r, /^[0-9a-f]{64}$/)
}

async function core<T = unknown>(page: BrowserPage, name: string, params: object): Promise<T> {
  const { done, failed } = await page.call<Outcome<T>>('core', name, params)
  assert.equal(failed, undefined, `${name}: ${failed}`)
  // It is only left out when it failed.
  return done as T
}

async function http<T>(page: BrowserPage, name: string, params: object = {}): Promise<Outcome<T>> {
  return await page.call<Outcome<T>>('http', name, params)
}

async function aWorld(): Promise<World> {
  const page = await browserPage(moduleGraph(['@turnkey/core', '@turnkey/crypto'], standIns), SCRIPT)
  const issuer = await anIssuer()
  const setting = await aProxiedSetting({ configId: CONFIG_ID, origin: page.origin })
  const { url } = setting.service
  await page.call('open', {
    apiBaseUrl: url,
    authProxyUrl: url,
    authProxyConfigId: CONFIG_ID,
    organizationId: setting.env.ORGANIZATION_ID,
  })
  return { setting, page, issuer }
}

function withCore(promise: string, body: (world: World) => Promise<void>): void {
  test(promise, { skip: available === undefined && chromiumMissing }, () =>
    body(present(available, 'skipped without')),
  )
}
