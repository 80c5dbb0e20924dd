import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { present } from '../../src/trusted/base/assert.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest(
  'what an endpoint refused is shown as given up, with the reason',
  async ({ root, signedIn, look }, t) => {
    let status = 410
    const receiver = createServer((_, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    t.after(() => receiver.close())
    // A TCP server that listens has an address with a port.
    const { port } = receiver.address() as AddressInfo
    await root.client.createWebhookEndpoint(
      root.activity('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
        url: `http://127.0.0.1:${port}/hooks`,
        name: 'Ledger',
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' as const, isActive: true }],
      }),
    )
    const page = await signedIn('/webhooks')
    await page.getByText('Gets events').waitFor()
    await look(page, 'webhooks')
    await page.getByRole('link', { name: 'Ledger' }).click()
    const dead = page.locator('section', { hasText: 'Given up' })
    await dead.waitFor()
    while ((await dead.getByText('the endpoint answered 410').count()) === 0) {
      await dead.getByRole('button', { name: 'Look again' }).click()
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    await look(page, 'webhook-deliveries')
    status = 200
    await dead.getByRole('button', { name: /^Ask to send these .*again$/ }).click()
    await page.getByText('Carried out').waitFor()
    await dead.getByText('Nothing.').waitFor()
  },
)

consoleTest(
  'an endpoint is made, changed, paused, resumed and deleted, each as one activity',
  async (setting) => {
    const { root, signedIn, look, keys } = setting
    const page = await signedIn('/webhooks')
    await page.getByText('Make a webhook endpoint').click()
    await page.getByLabel('Name').fill('Hooks\u202e<b>')
    await page.getByLabel('Address').fill('ftp://example.com/hooks')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    await page.getByText('The service refused this').waitFor()
    await page.getByLabel('Address').fill('http://127.0.0.1:9/first')
    await page.getByText(keys.webhook).waitFor()
    await look(page, 'webhook-new')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    await page.getByRole('link', { name: 'Hooks⟨U+202E⟩<b>' }).click()
    await page.getByText('ACTIVITY_UPDATES').waitFor()
    const one = async () => {
      const { organizationId } = root
      const { webhookEndpoints } = await root.client.listWebhookEndpoints({ organizationId })
      return webhookEndpoints.find(({ url }) => url.startsWith('http://127.0.0.1:9/'))
    }
    assert.deepEqual((await one())?.subscriptions, [{ eventType: 'ACTIVITY_UPDATES', isActive: true }])

    await page.getByText('Change name and address').click()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByLabel('Name', { exact: true }).fill('Accounting')
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/second')
    await page.getByText('What waits goes to the new address as well.').waitFor()
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/update_webhook_endpoint'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    const endpointId = present(await one(), 'the endpoint').endpointId
    assert.deepEqual(request.postDataJSON().parameters, {
      endpointId,
      name: 'Accounting',
      url: 'http://127.0.0.1:9/second',
    })
    await page.getByRole('heading', { name: 'Accounting' }).waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('What happens while it is paused is never sent.').waitFor()
    await look(page, 'webhook')
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    assert.equal((await one())?.isActive, false)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Gets events').waitFor()
    assert.equal((await one())?.isActive, true)

    await page.getByRole('button', { name: 'Delete this endpoint' }).click()
    await page.getByText('what was given up cannot be sent again').waitFor()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByRole('heading', { name: 'There is no such endpoint' }).waitFor()
    assert.equal(await one(), undefined)
    // The way back, and the button of the browser, lead to what there is.
    await page.getByRole('link', { name: 'All webhook endpoints' }).click()
    await page.getByText('Make a webhook endpoint').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'There is no such endpoint' }).waitFor()
  },
)

consoleTest('a member without rights is told that the service refuses an endpoint', async (setting) => {
  const { root, user, signedIn } = setting
  const page = await signedIn('/webhooks', await user(root, 'Eve'))
  await page.getByText('Make a webhook endpoint').click()
  await page.getByLabel('Name').fill('Mine')
  await page.getByLabel('Address').fill('https://eve.example/hooks')
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await page.getByText('The service refused this').waitFor()
})

consoleTest('the change of an endpoint that needs a second person says that it waits', async (setting) => {
  const { signedIn } = setting
  const [ada] = await setting.subOrganization('Both', ['Ada', 'Grace'], 2)
  const page = await signedIn('/webhooks', ada)
  await page.getByText('Make a webhook endpoint').click()
  await page.getByLabel('Name').fill('Ours')
  await page.getByLabel('Address').fill('http://127.0.0.1:9/ours')
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await page.getByText('Waits for approval').waitFor()
  await page.getByRole('link', { name: 'See the activity' }).click()
  await page.getByText('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', { exact: true }).waitFor()
})
