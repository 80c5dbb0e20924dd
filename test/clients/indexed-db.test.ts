import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verifySessionJwtSignature } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import { type BrowserPage, browserPage } from './browser-page.ts'
import { switchedOn } from './features.ts'
import { inBrowsers, moduleGraph } from './module-graph.ts'
import { loginSignature, newAddress, provenContact } from './one-time-code.ts'
import { aSetting, type Setting } from './setting.ts'
import { signSomething } from './sign-something.ts'
import { signUp } from './sign-up.ts'

// The key of a session as applications keep it: in the browser, where no script can read it.
const SCRIPT = `
import { IndexedDbStamper } from '@turnkey/indexed-db-stamper'

const stamper = new IndexedDbStamper()
await stamper.init()
globalThis.newKey = async () => {
  await stamper.resetKeyPair()
  return stamper.getPublicKey()
}
globalThis.publicKey = () => stamper.getPublicKey()
globalThis.stamp = (body) => stamper.stamp(body)
globalThis.clear = () => stamper.clear()
`

const available = chromiumAvailable()
  ? {
      setting: await aSetting(),
      page: await browserPage(moduleGraph(['@turnkey/indexed-db-stamper'], inBrowsers), SCRIPT),
    }
  : undefined
after(async () => {
  await available?.page.close()
  await available?.setting.service.kill()
})

withBrowser(
  'somebody signs up by mail, logs in with a key of their browser, signs, comes back, and logs out',
  async (setting, page) => {
    await switchedOn(setting.root, ['FEATURE_NAME_OTP_EMAIL_AUTH'])
    const contact = newAddress('browser')
    const mail = { otpType: 'OTP_TYPE_EMAIL', contact } as const
    const proven = await provenContact(setting, mail)
    const { organizationId, userId } = await signUp(setting, proven)
    const publicKey = await page.call<string>('newKey')
    const token = await otpLogin(setting, { organizationId, proven, publicKey })
    assert.ok(await verifySessionJwtSignature(token, setting.keys.session))
    const client = stampedIn(setting, page)
    const { activity } = setting.someone(organizationId)
    await signSomething({ client, activity, organizationId })

    await page.page.reload()
    await page.page.waitForFunction('globalThis.isReady === true')
    assert.equal(await page.call('publicKey'), publicKey)
    assert.equal((await client.getWhoami({ organizationId })).userId, userId)

    const { apiKeys } = await client.getApiKeys({ organizationId, userId })
    const own = present(
      apiKeys.find(({ credential }) => credential.publicKey === publicKey),
      'the key of the session',
    )
    await client.deleteApiKeys(
      activity('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds: [own.apiKeyId] }),
    )
    await assert.rejects(client.getWhoami({ organizationId }), /^TurnkeyRequestError: Turnkey error 16: /)
    await page.call('clear')
    assert.equal(await page.call('publicKey'), null)
  },
)

withBrowser(
  'a session hands over to the next key of the browser, which ends it when it says so',
  async (setting, page) => {
    const [owner] = await setting.subOrganization('Handing over', ['Owner'])
    const { organizationId, activity, client } = present(owner, 'the root user')
    const first = await page.call<string>('newKey')
    await client.stampLogin(activity('ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: first }))
    const browser = stampedIn(setting, page)
    await browser.getWhoami({ organizationId })
    // The stamp with the first key is kept, as a thief would.
    const kept = await browser.stampGetWhoami({ organizationId })

    const second = setting.someone(organizationId)
    await browser.stampLogin(
      activity('ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: second.publicKey, invalidateExisting: true }),
    )
    await signSomething(second)
    await assert.rejects(browser.getWhoami({ organizationId }), /Turnkey error 16: /)
    const { stampHeaderName, stampHeaderValue } = present(kept?.stamp, 'a stamp')
    const answer = await fetch(present(kept, 'a request').url, {
      method: 'POST',
      body: present(kept, 'a request').body,
      headers: { [stampHeaderName]: stampHeaderValue },
    })
    assert.equal(answer.status, 401)
  },
)

async function otpLogin(
  { root }: Setting,
  given: {
    readonly organizationId: string
    readonly proven: Parameters<typeof loginSignature>[0]
    readonly publicKey: string
  },
): Promise<string> {
  const { organizationId, proven, publicKey } = given
  const { activity } = await root.client.otpLogin({
    ...root.activity('ACTIVITY_TYPE_OTP_LOGIN_V2', {
      verificationToken: proven.verificationToken,
      publicKey,
      clientSignature: await loginSignature(proven, publicKey),
    }),
    organizationId,
  })
  return present(activity.result.otpLoginResult, 'the session').session
}

/** The published client of this process, whose stamps the published stamper makes in the page. */
function stampedIn({ clientWith }: Setting, page: BrowserPage): TurnkeyClient {
  return clientWith({ stamp: (body) => page.call('stamp', body) })
}

function withBrowser(promise: string, body: (setting: Setting, page: BrowserPage) => Promise<void>): void {
  test(promise, { skip: available === undefined && chromiumMissing }, () => {
    const { setting, page } = present(available, 'skipped without')
    return body(setting, page)
  })
}
