import assert from 'node:assert/strict'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('mails and text messages are listed without what they say', async (setting) => {
  const { root, signedIn, look } = setting
  for (const name of ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'] as const)
    await root.client.setOrganizationFeature(
      root.activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' }),
    )
  const page = await signedIn('/messages')
  await page.getByText('No message was sent.').waitFor()
  const sent = async (otpType: string, contact: string) =>
    await root.client.initOtp(
      root.activity('ACTIVITY_TYPE_INIT_OTP_V3', {
        otpType,
        contact,
        appName: 'Example',
        otpLength: 6,
        alphanumeric: false,
        userIdentifier: contact,
      }),
    )
  await sent('OTP_TYPE_EMAIL', 'ada@example.com')
  await sent('OTP_TYPE_SMS', '+15551234567')
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('+15551234567').waitFor()
  assert.deepEqual(await page.locator('.cards .badge').allInnerTexts(), ['text message', 'mail'])
  await look(page, 'messages')
})

consoleTest('what a host lies into the list of messages is shown as what it is', async ({ signedIn }) => {
  const page = await signedIn('/users')
  const message = {
    messageId: 'x',
    channel: 'EMAIL',
    to: '<b>ada</b>\u202emoc.elpmaxe',
    sentAt: { seconds: '1', nanos: '0' },
  }
  await page.route('**/query/list_sent_messages', (route) => route.fulfill({ json: { messages: [message] } }))
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByText('<b>ada</b>⟨U+202E⟩moc.elpmaxe').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/query/list_sent_messages', (route) =>
    route.fulfill({ json: { messages: [{ ...message, to: ['ada'] }] } }),
  )
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('does not understand').waitFor()
})

consoleTest('another organization sees none of the messages', async (setting) => {
  const [eve] = await setting.subOrganization('Others', ['Eve'])
  assert.ok(eve !== undefined)
  const page = await setting.signedIn('/messages', eve)
  await page.getByText('No message was sent.').waitFor()
})
