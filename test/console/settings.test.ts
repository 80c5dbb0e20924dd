import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateP256KeyPair } from '@turnkey/crypto'
import { say } from '../../console/screens/settings/words.ts'
import { SESSION_SECONDS_DEFAULT } from '../../src/trusted/activities/sessions/session-key.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

const OTP = 'Login by a code in a mail'

consoleTest('a feature is switched on and off, and the page says whom that shuts out', async (setting) => {
  const { signedIn, look } = setting
  const [ada, carol] = await setting.subOrganization('Shop', ['Ada', 'Carol'])
  assert.ok(ada !== undefined && carol !== undefined)
  const configs = async () => {
    const { organizationId } = ada
    const { configs: known } = await ada.client.getOrganizationConfigs({ organizationId })
    return present(known.features, 'the features').map(({ name }) => name)
  }
  await ada.client.createUsers(
    ada.activity('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [
        {
          userName: 'Mallory\u202e<b>',
          userEmail: 'mallory@example.com',
          // A session that ends, so that her mailbox is her one lasting way in.
          apiKeys: [
            {
              apiKeyName: 'session',
              publicKey: generateP256KeyPair().publicKey,
              curveType: 'API_KEY_CURVE_P256' as const,
              expirationSeconds: '900',
            },
          ],
          authenticators: [],
          oauthProviders: [],
          userTags: [],
        },
      ],
    }),
  )
  const page = await signedIn('/settings', ada)
  const otp = page.locator('li', { hasText: OTP })
  await otp.getByText('on', { exact: true }).waitFor()
  await otp.getByRole('button', { name: 'Switch off' }).click()
  // Sessions by mail are on as well.
  await page.getByText('Every user keeps a lasting way in.').waitFor()
  await otp.getByRole('button', { name: 'Cancel' }).click()
  const sessions = page.locator('li', { hasText: 'Sessions by mail' })
  await sessions.getByRole('button', { name: 'Switch off' }).click()
  await sessions.getByRole('button', { name: /yes, really/ }).click()
  await sessions.getByText('off', { exact: true }).waitFor()
  await otp.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText(/no lasting way in any more: .“Mallory⟨U\+202E⟩<b>” \(…[\da-f]{8}\).$/).waitFor()
  await otp.getByRole('button', { name: /yes, really/ }).click()
  await otp.getByText('off', { exact: true }).waitFor()
  assert.ok(!(await configs()).includes('FEATURE_NAME_OTP_EMAIL_AUTH'))
  await otp.getByRole('button', { name: 'Switch on' }).click()
  await otp.getByText('on', { exact: true }).waitFor()
  assert.ok((await configs()).includes('FEATURE_NAME_OTP_EMAIL_AUTH'))

  const origins = page.locator('li', { hasText: 'Pages at which passkeys may be used' })
  const FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
  const name = 'FEATURE_NAME_WEBAUTHN_ORIGINS' as const
  const values = async () => {
    const { configs: known } = await ada.client.getOrganizationConfigs({ organizationId: ada.organizationId })
    return known.features?.find((feature) => feature.name === name)?.value
  }
  const here = new URL(page.url()).origin
  await ada.client.setOrganizationFeature(ada.activity(FEATURE, { name, value: here }))
  await origins.getByLabel('Origins with commas').fill(`${here}, https://gone.example`)
  await origins.getByRole('button', { name: 'Save the value' }).click()
  await page.getByText('Somebody has changed this').waitFor()
  assert.equal(await values(), here)
  await origins.getByLabel('Origins with commas').fill('https://elsewhere.example')
  await page.getByText('No passkey could be used here any more').waitFor()
  await look(page, 'settings')
  await origins
    .getByLabel('Origins with commas')
    .fill(`https://elsewhere.example, ${new URL(page.url()).origin}`)
  assert.equal(await page.getByText('No passkey could be used here').count(), 0)
})

consoleTest('a list of addresses that would lock one out says so before it is sent', async (setting) => {
  const { signedIn, look } = setting
  const [ada] = await setting.subOrganization('Locked', ['Ada'])
  assert.ok(ada !== undefined)
  const page = await signedIn('/settings', ada)
  const section = page.locator('section', { hasText: 'Allowed addresses' })
  await section.getByText(/sees this page ask from/).waitFor()
  await section.getByLabel('The list is in force').check()
  await section.getByText('shuts out everybody, for good').waitFor()
  await section.getByLabel('Networks, one a line').fill('192.0.2.0/24 Office\n10.0.0.0/8')
  await section.getByText('is too wide').waitFor()
  assert.equal(await section.getByRole('button', { name: 'Save the list' }).count(), 0)
  await section.getByLabel('Networks, one a line').fill('192.0.2.0/24 Office')
  await section.getByText('This list would shut you out').waitFor()
  await section.getByRole('button', { name: 'Save the list' }).click()
  await section.getByText('This shuts you out.').waitFor()
  await look(page, 'settings-addresses')
  await section.getByRole('button', { name: 'Cancel' }).click()
  await section.getByRole('button', { name: 'Add the address of this page' }).click()
  assert.equal(await section.getByText('This list would shut you out').count(), 0)
  await section.getByRole('button', { name: 'Save the list' }).click()
  await section.getByRole('button', { name: /yes, really/ }).click()
  await section.getByText('Carried out').waitFor()
  // The list is in force, and this page still asks.
  await page.reload()
  await section.getByLabel('The list is in force').isChecked()
  assert.match(await section.getByLabel('Networks, one a line').inputValue(), /^192\.0\.2\.0\/24 Office\n/)
})

consoleTest('a list of addresses that was changed meanwhile is not overwritten', async (setting) => {
  const [ada] = await setting.subOrganization('Moving', ['Ada'])
  const { client, activity, organizationId } = present(ada, 'Ada')
  const page = await setting.signedIn('/settings', ada)
  const section = page.locator('section', { hasText: 'Allowed addresses' })
  await section.getByLabel('Networks, one a line').fill('192.0.2.0/24 Office')
  const rules = [{ cidr: '198.51.100.0/24', label: 'New office' }]
  await client.setIpAllowlist(
    activity('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { enabled: false, rules, onEvaluationError: 'DENY' as const }),
  )
  await section.getByRole('button', { name: 'Save the list' }).click()
  await section.getByRole('button', { name: /yes, really/ }).click()
  await section.getByText('Somebody has changed this').waitFor()
  const networks = section.getByLabel('Networks, one a line')
  await eventually(async () => (await networks.inputValue()) === '198.51.100.0/24 New office')
  const { allowlist } = await client.getIpAllowlist({ organizationId })
  assert.deepEqual(
    allowlist?.rules.map(({ cidr }) => cidr),
    ['198.51.100.0/24'],
  )
})

consoleTest(
  'the secret of an application leaves the page encrypted, and the vault opens it',
  async (setting) => {
    const { signedIn, root } = setting
    const page = await signedIn('/settings')
    await page.getByText('Add an application').click()
    await page.getByLabel('Provider').selectOption('Discord')
    await page.getByLabel('Client ID', { exact: true }).fill('4711')
    await page.getByLabel('Client secret').fill('a secret of Discord')
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/create_oauth2_credential'),
      page.getByRole('button', { name: 'Add', exact: true }).click(),
    ])
    assert.doesNotMatch(request.postData() ?? '', /a secret of Discord/)
    await page.getByText('4711').waitFor()
    const { oauth2Credentials } = await root.client.listOauth2Credentials({
      organizationId: root.organizationId,
    })
    assert.equal(oauth2Credentials.length, 1)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('4711').waitFor({ state: 'detached' })
  },
)

consoleTest('a host that names a wrong key of the service gets no secret', async ({ signedIn }) => {
  const page = await signedIn('/settings')
  await page.route('**/discovery/keys', (route) => route.fulfill({ json: { oauth2: '04aa' } }))
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.url().includes('create_oauth2_credential')
  })
  await page.getByText('Add an application').click()
  await page.getByLabel('Client ID', { exact: true }).fill('4711')
  await page.getByLabel('Client secret').fill('a secret')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/does not understand \(.oauth2.\)/).waitFor()
  assert.equal(isSent, false)
})

consoleTest('a member without rights reads the settings and changes none', async (setting) => {
  const { root, user, signedIn } = setting
  const page = await signedIn('/settings', await user(root, 'Eve'))
  await page.getByLabel('Name of the organization', { exact: true }).fill('Evil')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('The service refused this').waitFor()
  const { organizationName } = await root.client.getWhoami({ organizationId: root.organizationId })
  assert.notEqual(organizationName, 'Evil')
})

test('how long a session lasts is said as the service has it', () => {
  const minutes = `${SESSION_SECONDS_DEFAULT / 60} `
  for (const { secondsHint } of Object.values(say.texts))
    assert.ok(secondsHint.includes(minutes), secondsHint)
})
