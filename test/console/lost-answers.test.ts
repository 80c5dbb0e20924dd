import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('a change whose answer was lost is made once, however often it is asked for', async (setting) => {
  const page = await setting.signedIn('/users/invitations')
  await page.getByText('Invite somebody').click()
  await page.getByLabel('Name').fill('Ines')
  await page.getByLabel('E-mail address').fill('ines@example.com')
  const invite = page.getByRole('button', { name: 'Invite', exact: true })
  const invited = page.getByText('ines@example.com')
  await page.route(INVITE, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await invite.click()
  await page.getByText(NOT_KNOWN).waitFor()
  await page.unroute(INVITE)
  // What stands in front of a service gives up before it.
  await page.route(INVITE, async (route) => {
    await route.fetch()
    await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' })
  })
  await invite.click()
  await page.getByText(NOT_KNOWN).waitFor()
  await page.unroute(INVITE)
  await refused(page, INVITE)
  await invite.click()
  await page.getByText('too many requests').waitFor()
  await page.unroute(INVITE)
  await invite.click()
  await page.getByText('Carried out').waitFor()
  await invited.first().waitFor()
  assert.equal(await invited.count(), 1)
  // The same asked for after an answer is another one.
  await page.getByText('Invite somebody').click()
  await page.getByLabel('Name').fill('Ines')
  await page.getByLabel('E-mail address').fill('ines@example.com')
  await invite.click()
  await invited.nth(1).waitFor()
})

consoleTest(
  'a change is made anew after another one, also where its answer was lost before',
  async (setting) => {
    const { root, signedIn } = setting
    const page = await signedIn('/webhooks')
    await page.getByText('Make a webhook endpoint').click()
    await page.getByLabel('Name').fill('Once')
    await page.getByLabel('Address').fill('http://127.0.0.1:9/once')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    await page.getByRole('link', { name: 'Once' }).click()
    const pause = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByRole('button', { name: /yes, really/ }).click()
    }
    await page.route(UPDATE, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pause()
    await page.getByText(NOT_KNOWN).waitFor()
    await page.unroute(UPDATE)
    await page.getByText('Change name and address').click()
    await page.getByLabel('Name').fill('Twice')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await pause()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    const { webhookEndpoints } = await root.client.listWebhookEndpoints({
      organizationId: root.organizationId,
    })
    assert.equal(webhookEndpoints.find(({ name }) => name === 'Twice')?.isActive, false)
  },
)

consoleTest(
  'what cannot be read anew stays, with what came of a change and what is typed',
  async (setting) => {
    const page = await setting.signedIn('/users')
    await page.getByText('Add a user').click()
    await page.getByLabel('Name').fill('Ines')
    await page
      .getByLabel('Public key of an API key')
      .fill(setting.someone(setting.root.organizationId).publicKey)
    await refused(page, '**/query/list_users')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('too many requests').waitFor()
    await page.getByText('Carried out').waitFor()
    await page.getByLabel('Name').fill('Next')
    await page.unroute('**/query/list_users')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Ines' }).waitFor()
    await page.getByText('too many requests').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name').inputValue(), 'Next')
  },
)

consoleTest('an invitation that is typed stays while another one is cancelled', async (setting) => {
  const page = await setting.signedIn('/users/invitations')
  await page.getByText('Invite somebody').click()
  await page.getByLabel('Name').fill('Joan')
  const cancel = page.getByRole('button', { name: 'Cancel the invitation' })
  const before = await cancel.count()
  await cancel.first().click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Carried out').waitFor()
  await eventually(async () => (await cancel.count()) === before - 1)
  assert.equal(await page.getByLabel('Name').inputValue(), 'Joan')
})

const INVITE = '**/submit/create_invitations'
const UPDATE = '**/submit/update_webhook_endpoint'
const NOT_KNOWN = 'No answer has come'

async function refused(page: Page, path: string): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({ status: 429, json: { code: 8, message: 'too many requests', details: [] } }),
  )
}
