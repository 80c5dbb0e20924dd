import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { freePort } from '../support/free-port.ts'
import { codeIn } from '../clients/inbox.ts'
import { provenContact } from '../clients/one-time-code.ts'
import { signUp } from '../clients/sign-up.ts'
import { aProxiedSetting } from '../clients/proxied-setting.ts'
import { consoleTests, signOut } from './console-setting.ts'

const configId = randomUUID()
// The proxy names the origins that it serves, so the port has to be known before.
const port = await freePort()
const consoleTest = await consoleTests(
  async () => await aProxiedSetting({ configId, origin: `http://localhost:${port}`, port }),
)

consoleTest('a code by mail signs in, and an address of nobody is not told apart', async (setting) => {
  const { open, inbox, look } = setting
  const contact = 'grace@example.com'
  const [grace] = await setting.subOrganization('Grace', ['Grace'])
  await grace?.client.updateUserEmail(
    grace.activity('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: grace.userId, userEmail: contact }),
  )
  const page = await open()
  await page.getByLabel('Organization').fill(grace?.organizationId ?? '')
  for (const address of ['nobody@example.com', contact]) await codeSentTo(page, address)
  await look(page, 'sign-in-by-mail')
  await enterCode(page, codeIn(await inbox.newest(contact)))
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByText('Grace').first().waitFor()
  await signOut(page)
})

consoleTest(
  'a code that is of no use any more is followed by another one',
  async (setting) => {
    const { open, inbox, subOrganization } = setting
    const contact = 'joan@example.com'
    const [joan] = await subOrganization('Joan', ['Joan'])
    await joan?.client.updateUserEmail(
      joan.activity('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: joan.userId, userEmail: contact }),
    )
    const page = await open()
    await page.getByLabel('Organization').fill(joan?.organizationId ?? '')
    await codeSentTo(page, contact)
    // The code has been taken, and nobody hears of it.
    await page.route('**/v1/otp_verify', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await enterCode(page, codeIn(await inbox.newest(contact)))
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/v1/otp_verify')
    await page.getByRole('button', { name: 'Send another code' }).click()
    await enterCode(page, codeIn(await inbox.newest(contact, 2)))
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await signOut(page)
  },
  [/ERR_FAILED/],
)

consoleTest(
  'a mailbox finds the organization for who reads it, and an address that a stranger writes down finds nothing',
  async (setting) => {
    const { root, inbox, open, subOrganization, look } = setting
    const contact = 'hedy@example.com'
    const proven = await provenContact(setting, { otpType: 'OTP_TYPE_EMAIL', contact })
    const hedy = await signUp(setting, proven)
    // Somebody else claims the address, and has not proven it.
    const [mallory] = await subOrganization('Mallory', ['Mallory'])
    await mallory?.client.updateUserEmail(
      mallory.activity('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: mallory.userId, userEmail: contact }),
    )
    const page = await open()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const forget = page.getByRole('button', { name: 'Forget these' })
    if (await forget.isVisible()) await forget.click()
    await page.getByLabel('Organization').fill('')
    const answers: string[] = []
    await page.route('**/v1/otp_*', async (route) => {
      const response = await route.fetch()
      answers.push(await response.text())
      await route.fulfill({ response })
    })
    await codeSentTo(page, contact)
    await enterCode(page, codeIn(await inbox.newest(contact, 2)))
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.locator('header').getByText(contact).waitFor()
    const stored = await root.client.getSubOrgIds({
      organizationId: root.organizationId,
      filterType: 'EMAIL',
      filterValue: contact,
    })
    assert.deepEqual(new Set(stored.organizationIds), new Set([hedy.organizationId, mallory?.organizationId]))
    await signOut(page)

    // Before anybody has proven that they read the mailbox, nothing tells who has an account.
    const secret = new RegExp([hedy, mallory].map((one) => one?.organizationId).join('|'))
    const stranger = 'nobody-at-all@example.com'
    await page.getByRole('button', { name: 'Forget these' }).click()
    await page.getByLabel('Organization').fill('')
    answers.length = 0
    for (const address of [contact, stranger]) await codeSentTo(page, address)
    const [known = '', unknown = ''] = answers
    assert.doesNotMatch(known, secret)
    assert.deepEqual(shapeOf(known), shapeOf(unknown))
    // Who reads their own mailbox learns of that one.
    await enterCode(page, codeIn(await inbox.newest(stranger)))
    await page.getByText('no organization found for this login').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
    await look(page, 'sign-in-nothing-found')
  },
  [/status of 404/],
)

async function codeSentTo(page: Page, contact: string): Promise<void> {
  const details = page.locator('details').filter({ hasText: 'With a code by mail' })
  const address = details.getByLabel('E-mail address')
  if (!(await address.isVisible())) await details.locator('summary').click()
  await details.getByLabel('Configuration of the auth proxy').fill(configId)
  await address.fill(contact)
  await details.getByRole('button', { name: 'Send a code' }).click()
  await details.getByText('It has been sent, if somebody here has this address.').waitFor()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Sign in with this code' }).click()
}

/** The names of the fields, and how long each text is. */
function shapeOf(answer: string): unknown {
  return Object.entries(JSON.parse(answer)).map(([name, value]) => [name, String(value).length])
}
