import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
