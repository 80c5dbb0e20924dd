import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openInbox } from './inbox.ts'

const mail = {
  to: 'ann@example.test',
  subject: 'Shop: <b>code</b>',
  text: 'The code is <script>alert("1")</script>',
  html: '<script>alert(1)</script>',
  messageId: 'message-1',
}
const text = { to: '+14155550100', text: 'code 2', reference: 'message-2' }

test('what would have been sent is shown, the newest first', async () => {
  let now = Date.UTC(2026, 0, 1)
  const inbox = openInbox(() => now++)
  assert.equal(inbox.json(), '{"messages":[]}')
  assert.match(inbox.page(), /Nothing has been sent yet/)

  await inbox.mailer.send(mail)
  await inbox.textMessages.send(text)

  assert.deepEqual(JSON.parse(inbox.json()), {
    messages: [
      { at: Date.UTC(2026, 0, 1) + 1, channel: 'sms', ...text },
      { at: Date.UTC(2026, 0, 1), channel: 'email', ...mail },
    ],
  })
  assert.match(inbox.page(), /code 2[\s\S]*ann@example\.test[\s\S]*2026-01-01T00:00:00\.000Z/)
})

test('the page runs nothing', async () => {
  const inbox = openInbox(() => 0)
  await inbox.mailer.send({ ...mail, to: '"><script>', fromAddress: '<script>' })
  assert.doesNotMatch(inbox.page(), /<script|<b>/)
})

test('a repeat takes the place of the earlier, and the oldest make room', async () => {
  const inbox = openInbox(() => 0)
  for (let index = 0; index < 250; index++)
    await inbox.mailer.send({ ...mail, messageId: `message-${index}` })
  await inbox.mailer.send({ ...mail, messageId: 'message-240', text: 'again' })
  const { messages } = JSON.parse(inbox.json()) as { messages: { messageId: string; text: string }[] }
  assert.equal(messages.length, 200)
  assert.deepEqual([messages[0]?.messageId, messages[0]?.text], ['message-240', 'again'])
  assert.equal(messages.at(-1)?.messageId, 'message-50')
})
