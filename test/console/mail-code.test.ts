import { randomUUID } from 'node:crypto'
import { freePort } from '../support/free-port.ts'
import { codeIn } from '../clients/inbox.ts'
import { aProxiedSetting } from '../clients/proxied-setting.ts'
import { consoleTests } from './console-setting.ts'

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
  const details = page.locator('details').filter({ hasText: 'With a code by mail' })
  await details.locator('summary').click()
  await details.getByLabel('Configuration of the auth proxy').fill(configId)
  for (const address of ['nobody@example.com', contact]) {
    await details.getByLabel('E-mail address').fill(address)
    await details.getByRole('button', { name: 'Send a code' }).click()
    await details.getByText('It has been sent, if somebody here has this address.').waitFor()
  }
  await look(page, 'sign-in-by-mail')
  await details.getByLabel('Code', { exact: true }).fill(codeIn(await inbox.newest(contact)))
  await details.getByRole('button', { name: 'Sign in with this code' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByText('Grace').first().waitFor()
})
