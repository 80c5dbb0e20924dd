import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EmailMessage, RecoveryState, TextMessage } from '../../trusted/catalogue/message.ts'
import { renderMail, renderText } from './render-message.ts'

const base: EmailMessage = {
  channel: 'email',
  about: 'otp',
  to: 'ann@example.test',
  code: 'ABC123XYZ',
  organizationName: 'Acme',
  expiresAt: Date.UTC(2026, 0, 2, 3, 4, 59),
  customization: {},
  sender: {},
}
const rules = { senderDomains: ['acme.test'] }
const bundle =
  'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf'

test('each kind of mail says what it is about, in text and in HTML', () => {
  const messages: readonly (readonly [EmailMessage, string, string])[] = [
    [base, 'Acme: your one-time code', 'ABC123XYZ'],
    [{ ...base, about: 'emailAuth', bundle }, 'Acme: log in', bundle],
    [{ ...base, about: 'recovery', bundle }, 'Acme: recover your account', bundle],
    [{ ...base, about: 'invitation' }, 'Acme: you are invited to Acme', 'join the organization Acme'],
  ]
  for (const [message, subject, holds] of messages) {
    const mail = renderMail(message, rules)
    assert.equal(mail.subject, subject)
    assert.equal(mail.to, 'ann@example.test')
    for (const body of [mail.text, mail.html]) assert.ok(body.includes(holds), body)
    assert.ok(!mail.subject.includes('ABC123XYZ'))
    assert.doesNotMatch(mail.text + mail.html, /\{\{|undefined/)
  }
})

test('a mail about new root users says who they are, what stops it and from when on they are, and fills in no name', () => {
  const textOf = (state: RecoveryState, hoursLeft: number): string =>
    renderMail(
      {
        ...base,
        about: 'organizationRecovery',
        organizationRecovery: {
          state,
          attemptId: 'attempt-1',
          hoursLeft,
          userNames: ['{{signature}}', 'Eve'],
        },
        customization: { templateVariables: { signature: 'Your own team' } },
      },
      rules,
    ).text
  for (const [state, hoursLeft, when] of [
    ['begun', 72, 'in 72 hours at the earliest'],
    ['goesOn', 1, 'in 1 hours at the earliest'],
    ['goesOn', 0, 'at any time from now on'],
  ] as const) {
    const text = textOf(state, hoursLeft)
    assert.ok(text.includes(`They become root users ${when}. If you do not want this, stop it`), text)
    assert.ok(text.includes('{{signature}}\nEve\n'), text)
  }
  for (const state of ['lapsed', 'stopped', 'completed'] as const)
    assert.doesNotMatch(textOf(state, 0), /stop it/)
})

test('a code says until when it works', () => {
  assert.match(renderMail(base, rules).text, /until 2026-01-02 03:04 UTC/)
})

test('a magic link carries the code or the bundle, percent-encoded', () => {
  const magicLinkTemplate = 'https://app.acme.test/in?c=%s&lang=en'
  const code = renderMail({ ...base, code: 'A+B/$&%', customization: { magicLinkTemplate } }, rules)
  assert.ok(code.text.includes('https://app.acme.test/in?c=A%2BB%2F%24%26%25&lang=en'))
  assert.ok(code.html.includes('href="https://app.acme.test/in?c=A%2BB%2F%24%26%25&amp;lang=en"'))
  for (const about of ['emailAuth', 'recovery'] as const) {
    const mail = renderMail(
      { ...base, about, bundle, customization: { magicLinkTemplate: 'acme://in/%s' } },
      rules,
    )
    assert.ok(mail.html.includes(`href="acme://in/${bundle}"`))
  }
})

test('a link that would be run, or that is none, is left out and the secret is still there', () => {
  for (const magicLinkTemplate of [
    'javascript:alert("%s")',
    'JavaScript:%s',
    'data:text/html,%s',
    'https://acme.test/',
    '%s',
    'https://acme.test/ %s',
    'https://acme.test/\n%s',
  ]) {
    const mail = renderMail(
      { ...base, about: 'emailAuth', bundle, customization: { magicLinkTemplate } },
      rules,
    )
    assert.ok(!mail.html.includes('<a '), magicLinkTemplate)
    assert.ok(mail.text.includes(bundle))
  }
})

test('a logo is shown from an https address only', () => {
  const shown = (logoUrl: string) => renderMail({ ...base, customization: { logoUrl } }, rules).html
  assert.match(
    shown('https://acme.test/l.png?a=1&b="2"'),
    /<img src="https:\/\/acme\.test\/l\.png\?a=1&amp;b=&quot;2&quot;"/,
  )
  for (const logoUrl of [
    'http://acme.test/l.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '//acme.test/l.png',
  ])
    assert.doesNotMatch(shown(logoUrl), /<img/)
})

test("variables fill their own places once, and nobody else's", () => {
  const mail = renderMail(
    {
      ...base,
      customization: {
        appName: 'Shop',
        templateVariables: {
          greeting: 'Dear {{appName}} <friend>',
          signature: 'Bob',
          appName: 'Evil',
          code: 'x',
        },
      },
    },
    rules,
  )
  assert.ok(mail.text.startsWith('Dear {{appName}} <friend>\n'))
  assert.ok(mail.html.includes('<p>Dear {{appName}} &lt;friend&gt;</p>'))
  assert.ok(mail.text.endsWith('Bob\n'))
  assert.ok(!mail.text.includes('Evil'))
  assert.equal(mail.subject, 'Shop: your one-time code')
})

test('nothing in a message becomes markup', () => {
  const nasty = fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '</p>', '<script>', '{{code}}', '$&', 'a'))
    .map((all) => all.join(''))
  const tags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replaceAll(/(["]).*?\1/g, '""'))
  const plain = renderMail(
    { ...base, customization: { logoUrl: 'https://a.test/', magicLinkTemplate: 'https://a.test/%s' } },
    rules,
  )
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (appName, greeting, code, path) => {
      const mail = renderMail(
        {
          ...base,
          code,
          customization: {
            appName,
            logoUrl: `https://a.test/${path}`,
            magicLinkTemplate: `https://a.test/${path}%s`,
            templateVariables: { greeting },
          },
        },
        rules,
      )
      assert.deepEqual(tags(mail.html), tags(plain.html))
    }),
  )
})

test('a sender is followed only from an allowed domain, and ignored with its companions otherwise', () => {
  const sent = (sender: EmailMessage['sender']) => {
    const { fromAddress, fromName, replyTo } = renderMail({ ...base, sender }, rules)
    return [fromAddress, fromName, replyTo]
  }
  assert.deepEqual(sent({ fromAddress: 'a@ACME.test' }), ['a@ACME.test', 'Notifications', undefined])
  assert.deepEqual(sent({ fromAddress: 'a@acme.test', fromName: 'Shop', replyTo: 'b@acme.test' }), [
    'a@acme.test',
    'Shop',
    'b@acme.test',
  ])
  assert.deepEqual(sent({ fromAddress: 'a@acme.test', replyTo: 'b@evil.test' }), [
    'a@acme.test',
    'Notifications',
    undefined,
  ])
  const none = [undefined, undefined, undefined]
  for (const fromAddress of [
    'a@evil.test',
    'a@sub.acme.test',
    'a@evilacme.test',
    'x <a@acme.test',
    'a@evil.test\r\n@acme.test',
    'acme.test',
  ])
    assert.deepEqual(sent({ fromAddress, fromName: 'Shop', replyTo: 'b@acme.test' }), none, fromAddress)
  assert.deepEqual(sent({ fromName: 'Shop', replyTo: 'b@acme.test' }), none)
})

test('a text message follows its template where that has a place for the code', () => {
  const message: TextMessage = {
    channel: 'sms',
    about: 'otp',
    to: '+14155550100',
    code: '$&123',
    expiresAt: 0,
  }
  const text = (more: Partial<TextMessage>) => renderText({ ...message, ...more }).text
  assert.equal(text({}), 'Your one-time code is $&123')
  assert.equal(text({ appName: 'Shop' }), 'Shop: your one-time code is $&123')
  assert.equal(text({ template: '{{.OtpCode}} is it\0, {{.Other}}' }), '$&123 is it, {{.Other}}')
  assert.equal(text({ template: 'nothing' }), 'Your one-time code is $&123')
  assert.equal(text({ template: `{{.OtpCode}}${'a'.repeat(1600)}` }), 'Your one-time code is $&123')
  assert.equal(renderText(message).to, '+14155550100')
})
