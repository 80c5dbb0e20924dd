import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { consoleTests } from './console-setting.ts'

// A session by passkey reads. Each change is a gesture of its own, over the bytes that go to the service.

const consoleTest = await consoleTests()

/** Fails unless the passkey, and nothing else, has stamped these very bytes. */
async function assertGesture(request: Request): Promise<void> {
  const headers = await request.allHeaders()
  assert.equal(headers['x-session'], undefined)
  assert.equal(headers['x-stamp'], undefined)
  const { clientDataJson } = JSON.parse(present(headers['x-stamp-webauthn'], 'a stamp'))
  const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
  const body = present(request.postDataBuffer() ?? undefined, 'a body')
  const digest = createHash('sha256').update(body).digest('hex')
  assert.equal(Buffer.from(challenge, 'base64url').toString(), digest)
}

/** Opens a screen and fills in what is needed for a change, up to the button that sends it. */
const CHANGES: readonly {
  readonly screen: string
  readonly operation: string
  readonly button: string
  readonly fill: (page: Page) => Promise<void>
}[] = [
  {
    screen: '/webhooks',
    operation: 'create_webhook_endpoint',
    button: 'Make',
    fill: async (page) => {
      await page.getByText('Make a webhook endpoint').click()
      await page.getByLabel('Name').fill('Ledger')
      await page.getByLabel('Address').fill('http://127.0.0.1:9/hooks')
    },
  },
  {
    screen: '/wallets',
    operation: 'create_private_keys',
    button: 'Make the key',
    fill: async (page) => {
      await page.getByText('Make a private key').click()
      await page.getByLabel('Name of the private key').fill('Cold')
    },
  },
  {
    screen: '/contracts',
    operation: 'create_smart_contract_interface',
    button: 'Add',
    fill: async (page) => {
      await page.getByText('Add the interface of a contract').click()
      await page.getByLabel('Name', { exact: true }).fill('USDC')
      await page.getByLabel('Address of the contract').fill('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
      await page.getByLabel('Or paste it').fill('[{"name":"pause","inputs":[]}]')
    },
  },
  {
    screen: '/sub-organizations',
    operation: 'create_sub_organization',
    button: 'Make',
    fill: async (page) => {
      await page.getByText('Make a sub-organization').click()
      await page.getByLabel('Name of the sub-organization').fill('Shop')
      await page.getByLabel('Name of the user').fill('Grace')
      await page.getByLabel('Way in').selectOption('A code by mail')
      await page.getByLabel('E-mail address of the user').fill('grace@example.com')
    },
  },
]

consoleTest(
  'a session that reads changes nothing, and each change is a gesture over its bytes',
  async (setting) => {
    const { open, givePasskey, root } = setting
    const page = await open()
    await givePasskey(page)
    await page.getByLabel('Organization').fill(root.organizationId)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    const sent: string[] = []
    page.on('request', (request) => request.url().includes('/submit/') && sent.push(request.url()))
    for (const { screen, operation, button, fill } of CHANGES) {
      await page.evaluate(`location.hash = '#${screen}'`)
      await fill(page)
      const send = page.getByRole('button', { name: button, exact: true })
      await page.evaluate(CLOSED)
      await send.click()
      await page.getByText('No passkey was used.').waitFor()
      assert.deepEqual(sent, [], operation)
      await page.evaluate(OPEN)
      const [request] = await Promise.all([page.waitForRequest(`**/submit/${operation}`), send.click()])
      await assertGesture(request)
      await page.getByText('Carried out').first().waitFor()
      sent.length = 0
    }
  },
)

/** As when somebody closes the question of the browser. */
const CLOSED = `navigator.credentials.get = () => Promise.reject(new DOMException('closed', 'NotAllowedError'))`
const OPEN = 'delete navigator.credentials.get'

consoleTest('an address that leads to nothing says so, and leads back', async (setting) => {
  const { signedIn, look } = setting
  const page = await signedIn('/approvals')
  const unknown = '01a207a6-104b-7ac9-9ed6-d49ca137c618'
  for (const [path, heading, back] of [
    ['wallets', 'There is no such wallet', 'All wallets and keys'],
    ['wallets/keys', 'There is no such private key', 'All wallets and keys'],
    ['webhooks', 'There is no such endpoint', 'All webhook endpoints'],
    ['contracts', 'There is no such interface', 'All interfaces of contracts'],
    ['sub-organizations', 'There is no such sub-organization', 'All sub-organizations'],
  ] as const)
    for (const id of [unknown, '<b>x', '%'])
      await assertNothingThere(page, `${path}/${encodeURIComponent(id)}`, heading, back)
  await look(page, 'nothing-there')
})

async function assertNothingThere(page: Page, path: string, heading: string, back: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
  await page.getByRole('heading', { name: heading }).waitFor()
  await page.getByRole('link', { name: back }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: heading }).waitFor()
}
