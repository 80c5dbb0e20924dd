import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import type { JsonAnswer } from '../support/service.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

// A host that changes whatever it answers, on every screen: what is planted is shown as text, and never as anything
// else.

const consoleTest = await consoleTests()

/** Turns what follows, is invisible, ends a line where nobody sees it, is blank, and is markup. */
const PLANTED = '\u202e\u200b\u2028\u3164\u2800\u00a0<img src=x onerror="document.title=1">'
const UNSEEN = /[\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2800\u3164\ufeff]/

/** Each screen of the menu by its address: a new one is tried too. */
const LIST = readFileSync(new URL('../../console/screens/list.ts', import.meta.url), 'utf8')
const screens = [...LIST.matchAll(/path: '([\w-]+)'/g)].flatMap(([, path]) => path ?? [])

/** One of each thing, and the address of each screen that shows one. */
let made: Promise<readonly string[]> | undefined

function everyScreen(setting: ConsoleSetting): Promise<readonly string[]> {
  made ??= makeOfEach(setting)
  return made
}

async function makeOfEach({ root, user, subOrganization }: ConsoleSetting): Promise<readonly string[]> {
  const { client, activity, organizationId, userId } = root
  const ada = await user(root, 'Ada')
  const [grace] = await subOrganization('Shop', ['Grace'])
  const { activity: tagged } = await client.createUserTag(
    activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Signers', userIds: [ada.userId] }),
  )
  const { activity: policied } = await client.createPolicy(
    activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Two agree',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.action == 'SIGN' && usage.count('24h', private_key.id) <= 100",
      consensus: 'approvers.count() >= 2',
      notes: 'Why it is there',
    }),
  )
  const { activity: walleted } = await client.createWallet(
    activity('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Treasury',
      accounts: [
        {
          curve: 'CURVE_SECP256K1' as const,
          pathFormat: 'PATH_FORMAT_BIP32' as const,
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
        },
      ],
    }),
  )
  const { activity: keyed } = await client.createPrivateKeys(
    activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'Cold',
          curve: 'CURVE_SECP256K1' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
        },
      ],
    }),
  )
  const { activity: hooked } = await client.createWebhookEndpoint(
    activity('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
      url: 'http://127.0.0.1:9/hooks',
      name: 'Ledger',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' as const, isActive: true }],
    }),
  )
  const { activity: described } = await client.createSmartContractInterface(
    activity('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
      smartContractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      smartContractInterface: '[{"name":"pause","inputs":[]}]',
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' as const,
      label: 'USDC',
      notes: 'Pauses only',
    }),
  )
  const interfaceId = described.result.createSmartContractInterfaceResult?.smartContractInterfaceId
  const invitation = {
    receiverUserName: 'Hopper',
    receiverUserEmail: 'hopper@example.com',
    receiverUserTags: [],
    accessType: 'ACCESS_TYPE_ALL' as const,
    senderUserId: userId,
  }
  await client.createInvitations(activity('ACTIVITY_TYPE_CREATE_INVITATIONS', { invitations: [invitation] }))
  await client.createMfaPolicy(
    activity('ACTIVITY_TYPE_CREATE_MFA_POLICY', {
      userId: ada.userId,
      mfaPolicyName: 'Exports',
      condition: "activity.action == 'EXPORT'",
      requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' as const }] }],
      order: 0,
    }),
  )
  await client.createSessionProfile(
    activity('ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
      sessionProfileName: 'Signs only',
      scope: "activity.action == 'SIGN'",
    }),
  )
  const address = keyed.result.createPrivateKeysResultV2?.privateKeys[0]?.addresses?.[0]?.address
  const { activity: waiting } = await ada.client.signRawPayload(
    ada.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: present(address, 'its address'),
      payload: 'ab'.repeat(32),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
      hashFunction: 'HASH_FUNCTION_NO_OP' as const,
    }),
  )
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', organizationId)
  return [
    ...screens,
    `approvals/${waiting.id}`,
    `activities/${waiting.id}`,
    'policies/new',
    `policies/${policied.result.createPolicyResult?.policyId}`,
    'users/quorum',
    'users/invitations',
    `users/${ada.userId}`,
    `users/${ada.userId}/mfa`,
    `sub-organizations/${grace?.organizationId}`,
    `tags/users/${tagged.result.createUserTagResult?.userTagId}`,
    `wallets/${walleted.result.createWalletResult?.walletId}`,
    `wallets/keys/${keyed.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId}`,
    `contracts/${interfaceId}`,
    `webhooks/${hooked.result.createWebhookEndpointResult?.endpointId}`,
  ]
}

/** From now on each answer to a query is what this makes of it. */
async function lies(page: Page, change: (answer: JsonAnswer) => JsonAnswer): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/public/v1/query/**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({ response, body: response.ok() ? JSON.stringify(change(JSON.parse(text))) : text })
  })
}

async function openScreen(page: Page, path: string): Promise<void> {
  await page.evaluate("location.hash = '#/nowhere'")
  await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
  await page.getByRole('heading', { name: 'There is no such screen' }).waitFor({ state: 'detached' })
  await page.locator('main h1, main [role=alert]').first().waitFor()
  await page.locator('main .busy').first().waitFor({ state: 'detached' })
}

/** What a person sees, what is folded away too, and what is read to them. */
async function seen(page: Page): Promise<string> {
  await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
  await page.locator('main:not(:has(.busy, details[open] > summary:only-child))').waitFor()
  const spoken = await page.evaluate(
    `[...document.querySelectorAll('[aria-label],[title],[alt],input,textarea')]
      .map((one) => [one.getAttribute('aria-label'), one.title, one.getAttribute('alt')].join(' ')).join(' ')`,
  )
  const options = await page.locator('main option').allTextContents()
  return [await page.locator('body').innerText(), String(spoken), ...options].join('\n')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const ENUM_OR_NUMBER = /^[A-Z0-9_]+$/

function inTexts(value: JsonAnswer, isChanged: (text: string) => boolean): JsonAnswer {
  if (typeof value === 'string') return isChanged(value) ? `${value}${PLANTED}` : value
  if (Array.isArray(value)) return value.map((item) => inTexts(item, isChanged))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inTexts(item, isChanged)]))
}

for (const [which, isChanged] of [
  [
    'each text that is no id and no word of the interface',
    (text) => !UUID.test(text) && !ENUM_OR_NUMBER.test(text),
  ],
  // A time that is no number is refused, which would hide the rest.
  ['each text but ids and numbers', (text) => !UUID.test(text) && !/^\d+$/.test(text)],
] as const satisfies readonly (readonly [string, (text: string) => boolean])[])
  consoleTest(`what a host plants in ${which} is shown as text on every screen`, async (setting, t) => {
    const paths = await everyScreen(setting)
    const page = await setting.signedIn('/approvals')
    await lies(page, (answer) => inTexts(answer, isChanged))
    let shown = 0
    const unseen: string[] = []
    for (const path of paths) {
      await openScreen(page, path)
      const text = await seen(page)
      if (UNSEEN.test(text)) unseen.push(path)
      assert.equal(await page.locator('img, main script, main iframe, main svg').count(), 0, path)
      assert.notEqual(await page.title(), '1')
      if (text.includes('<img src=x')) shown += 1
    }
    assert.deepEqual(unseen, [])
    t.diagnostic(`${paths.length} screens, on ${shown} of them the planted text is read`)
    if (which.startsWith('each text that')) assert.ok(shown > 12, `${shown} screens show what was planted`)
  })

consoleTest('an answer of a wrong shape is told on every screen, and none goes blank', async (setting) => {
  const paths = await everyScreen(setting)
  const page = await setting.signedIn('/approvals')
  const within = (value: JsonAnswer, put: JsonAnswer): JsonAnswer =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.keys(value).map((name) => [name, put]))
      : put
  const items = (value: JsonAnswer, put: JsonAnswer): JsonAnswer =>
    Array.isArray(value)
      ? [put, ...value]
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, items(item, put)]))
        : value
  const changes: readonly ((answer: JsonAnswer) => JsonAnswer)[] = [
    (answer) => within(answer, {}),
    (answer) => items(answer, null),
  ]
  for (const change of changes) {
    await lies(page, change)
    for (const path of paths) {
      await openScreen(page, path)
      assert.ok((await page.locator('main').innerText()).length > 10, path)
      assert.ok(await page.getByRole('button', { name: 'Sign out' }).isVisible(), path)
    }
  }
})

consoleTest('a host that swaps the names of two keys changes no word of what is signed', async (setting) => {
  await everyScreen(setting)
  const { root, signedIn } = setting
  const { organizationId } = root
  const { privateKeys } = await root.client.getPrivateKeys({ organizationId })
  const cold = present(
    privateKeys.find(({ privateKeyName }) => privateKeyName === 'Cold'),
    'the key',
  )
  const page = await signedIn('/users')
  await page.route('**/query/list_private_keys', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const key of answer.privateKeys) key.privateKeyName = 'Petty cash'
    await route.fulfill({ response, json: answer })
  })
  await page.getByRole('link', { name: 'Sign something' }).click()
  await page
    .getByLabel('Key or account')
    .selectOption({ label: `Petty cash (…${cold.privateKeyId.slice(-8)})` })
  await page.getByLabel('What to sign').selectOption('message')
  await page.getByLabel('Message', { exact: true }).fill('Pay everything')
  await page.getByRole('button', { name: 'Show what these bytes say' }).click()
  const facts = page.locator('dl.request')
  await facts.waitFor()
  const said = await facts.innerText()
  const signsWith = [cold.privateKeyId, ...cold.addresses.map(({ address }) => address ?? '')]
  assert.ok(
    signsWith.some((one) => said.includes(one)),
    said,
  )
  assert.ok(!said.includes('Petty cash'))
})

consoleTest('what a host answers that is no signature is not shown at all', async (setting) => {
  await everyScreen(setting)
  const page = await setting.signedIn('/sign')
  const cold = page.locator('option', { hasText: /^Cold \(…/ })
  await page.getByLabel('Key or account').selectOption((await cold.getAttribute('value')) ?? '')
  await page.getByLabel('What to sign').selectOption('raw')
  await page.getByLabel('32 bytes in hexadecimal', { exact: true }).fill('ab'.repeat(32))
  await page.route('**/submit/sign_raw_payload', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    const planted = { r: PLANTED, s: PLANTED, v: PLANTED }
    await route.fulfill({
      response,
      json: { activity: { ...answer.activity, result: { signRawPayloadResult: planted } } },
    })
  })
  await page.getByRole('button', { name: 'Show what these bytes say' }).click()
  await page.getByRole('button', { name: 'Sign it unseen' }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('is NOT a signature of what is shown above').waitFor()
  assert.equal(await page.locator('p.id').count(), 0)
  assert.doesNotMatch(await seen(page), UNSEEN)
  assert.equal(await page.locator('img').count(), 0)
})

consoleTest('what a host says that a policy would have changed is shown as text', async (setting) => {
  await everyScreen(setting)
  const page = await setting.signedIn('/policies/new')
  await page.getByLabel('Name', { exact: true }).fill('Draft')
  await page.getByLabel('Condition', { exact: true }).fill("activity.action == 'SIGN'")
  await page.route('**/query/replay_policies', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    const verdict = { decision: `DECISION${PLANTED}` }
    const difference = { activityId: 'x', type: `TYPE${PLANTED}`, before: verdict, after: verdict }
    await route.fulfill({ response, json: { ...answer, differences: [difference] } })
  })
  await page.getByRole('button', { name: 'Replay the last thousand' }).click()
  await page.getByRole('link', { name: /^TYPE/ }).waitFor()
  assert.doesNotMatch(await seen(page), UNSEEN)
  assert.equal(await page.locator('img').count(), 0)
})
