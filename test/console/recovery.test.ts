import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Person, Setting, Stranger } from '../clients/setting.ts'
import type { JsonAnswer } from '../support/service.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

const TITLE = 'A recovery of this organization is under way'
const RECOVERY = 'FEATURE_NAME_ORGANIZATION_RECOVERY'
const ATTEMPT = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'

/** The published client knows no feature of ours by its type. */
async function sets(by: Stranger, name: string, value: object): Promise<void> {
  const parameters = { name: name as 'FEATURE_NAME_WEBHOOK', value: JSON.stringify(value) }
  const { activity } = await by.client.setOrganizationFeature(
    by.activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', parameters),
  )
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED')
}

/** The people of a set have begun to make these root users of an organization with two of them. */
async function underWay(setting: Setting, userNames: readonly string[]): Promise<readonly [Person, Person]> {
  const [ada, grace] = await setting.subOrganization('Treasury', ['Ada', 'Grace'])
  assert.ok(ada !== undefined && grace !== undefined)
  const people = setting.someone(ada.organizationId)
  const { publicKey } = people
  await sets(ada, RECOVERY, { publicKey, threshold: 2, shares: 3, delayHours: 72 })
  const users = userNames.map((userName) => ({
    userName,
    publicKey: setting.someone(ada.organizationId).publicKey,
  }))
  await sets(people, ATTEMPT, { users })
  return [ada, grace]
}

async function notice(page: Page): Promise<string> {
  const shown = page.getByRole('region', { name: TITLE })
  await shown.waitFor()
  return (await shown.innerText()).replaceAll(/[\u2066-\u2069]/g, '')
}

/** From now on the service tells other features. */
async function tells(page: Page, change: (feature: JsonAnswer) => object): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/query/get_organization_configs', async (route) => {
    const response = await route.fetch()
    const { configs } = await response.json()
    const serviceFeatures = configs.serviceFeatures.map(change)
    await route.fulfill({ response, json: { configs: { ...configs, serviceFeatures } } })
  })
  await page.reload()
}

consoleTest(
  'on every screen a root user sees who is about to become one, when, and how to stop it',
  async (setting: ConsoleSetting) => {
    const [ada] = await underWay(setting, ['Hedy', 'Lise \u202ereversed'])
    const page = await setting.signedIn('/users', ada)
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    assert.match(
      await notice(page),
      /begun it on .*\s+Who would become .*, as those who began it call them:\s+Hedy\s+Lise ⟨U\+202E⟩reversed\s+72 hours are left/,
    )
    for (const link of await page.locator('nav.nav a').all()) {
      await link.click()
      await page.locator('main:has(h1):not(:has(.busy))').waitFor()
      assert.match(await notice(page), /Hedy/, page.url())
    }
    await page.goto(`${setting.consoleUrl}#/limits`)
    await page.reload()
    assert.match(await notice(page), /Hedy/)
    await setting.look(page, 'recovery')

    await page.getByRole('button', { name: 'Stop the recovery' }).click()
    await page.getByText('If none of the root users has asked for this, stop it.').waitFor()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page
      .getByText('The server says that it was stopped. The shares are of no use any more then.')
      .waitFor()
    await page.locator('body *:focus').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('region', { name: TITLE }).waitFor({ state: 'detached' })
    const { client, organizationId } = ada
    const { configs } = await client.getOrganizationConfigs({ organizationId })
    assert.doesNotMatch(JSON.stringify(configs), /ORGANIZATION_RECOVERY/)
  },
)

consoleTest('somebody else than a root user is told whom to tell, and has no button', async (setting) => {
  const [ada] = await underWay(setting, ['Hedy'])
  const member = await setting.user(ada, 'Member')
  const page = await setting.signedIn('/users', member)
  assert.match(await notice(page), /Any one root user can stop it/)
  assert.equal(await page.getByRole('button', { name: 'Stop the recovery' }).count(), 0)
})

consoleTest('the notice counts the hours down, and is there for what it cannot read', async (setting) => {
  const [, grace] = await underWay(setting, ['Hedy'])
  const page = await setting.signedIn('/users', grace)
  await notice(page)
  const withAttempt = (change: (attempt: JsonAnswer) => object) => (feature: JsonAnswer) =>
    feature.name === ATTEMPT
      ? { ...feature, value: JSON.stringify(change(JSON.parse(feature.value))) }
      : feature
  for (const [change, text] of [
    [withAttempt((attempt) => ({ ...attempt, heartbeats: 70 })), /2 hours are left/],
    [withAttempt((attempt) => ({ ...attempt, heartbeats: 72 })), /The delay is over/],
    [withAttempt((attempt) => ({ ...attempt, heartbeats: 200 })), /The delay is over/],
    [withAttempt((attempt) => ({ ...attempt, users: 'Hedy' })), /cannot read whom it is for/],
    [withAttempt(() => ({})), /cannot read whom it is for/],
    [(feature: JsonAnswer) => ({ ...feature, value: 'no JSON' }), /cannot read whom it is for/],
  ] as const) {
    await tells(page, change)
    assert.match(await notice(page), text)
    await page.getByRole('button', { name: 'Stop the recovery' }).waitFor()
  }
})

consoleTest('an attempt that begins while the page is open is told on the next screen', async (setting) => {
  const [ada] = await setting.subOrganization('Vault', ['Ada'])
  assert.ok(ada !== undefined)
  const page = await setting.signedIn('/users', ada)
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  const people = setting.someone(ada.organizationId)
  const { publicKey } = people
  await sets(ada, RECOVERY, { publicKey, threshold: 2, shares: 3, delayHours: 720 })
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.locator('main:has(h1):not(:has(.busy))').waitFor()
  assert.equal(await page.getByRole('region', { name: TITLE }).count(), 0)
  await sets(people, ATTEMPT, { users: [{ userName: 'Eve', publicKey: setting.someone('').publicKey }] })
  await page.getByRole('link', { name: 'Settings' }).click()
  assert.match(await notice(page), /Eve\s+720 hours are left/)
})
