import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../base/failure.ts'
import {
  emailAuthCustomizationParams,
  emailCustomizationOf,
  emailCustomizationParams,
  emailCustomizationParamsV2,
  emailSenderOf,
  smsCustomizationParams,
} from './customization.ts'

test('a whole customization becomes that of a message, and empty text counts as absent', () => {
  const given = {
    appName: 'Example',
    logoUrl: 'https://example.com/logo.png',
    magicLinkTemplate: 'https://example.com/login?code=%s',
    templateVariables: '{"greeting":"Hi"}',
    templateId: '',
  }
  assert.deepEqual(emailCustomizationOf(emailCustomizationParams.read(given, '', 'strict')), {
    appName: 'Example',
    logoUrl: 'https://example.com/logo.png',
    magicLinkTemplate: 'https://example.com/login?code=%s',
    templateVariables: { greeting: 'Hi' },
  })
  const empty = {
    appName: '',
    logoUrl: '',
    magicLinkTemplate: '',
    templateVariables: '',
    templateId: '',
  }
  assert.deepEqual(emailCustomizationOf(emailCustomizationParams.read(empty, '', 'strict')), {})
})

test('a magic link template is a URL that holds %s', () => {
  for (const magicLinkTemplate of [
    'https://example.com/',
    '%s',
    'no url %s',
    'https://a.example/\n%s',
    'javascript:alert("%s")',
    'https://a.example:%s/',
  ])
    assert.throws(() => emailCustomizationOf({ magicLinkTemplate }), /invalid magic link template/)
  assert.deepEqual(emailCustomizationOf({ magicLinkTemplate: 'app://login/%s' }), {
    magicLinkTemplate: 'app://login/%s',
  })
})

test('template variables are an object of strings without line breaks', () => {
  for (const templateVariables of [
    '{',
    '[]',
    '"a"',
    '{"a":1}',
    '{"a":{"b":"c"}}',
    '{"a":"b\\nc"}',
    '{"a\\r":"b"}',
  ])
    assert.throws(
      () => emailCustomizationOf({ templateVariables }),
      /failed to unmarshal template variables/,
      templateVariables,
    )
})

test('a template that is not there is refused', () => {
  assert.throws(() => emailCustomizationOf({ templateId: 'mine' }), /failed to get email template contents/)
})

test('a logo comes by https', () => {
  for (const logoUrl of [
    'http://example.com/a.png',
    'javascript:alert(1)',
    'logo',
    'https://a.example/\r\nX: y',
  ])
    assert.throws(() => emailCustomizationParamsV2.read({ logoUrl }, '', 'strict'), Failure)
})

test('the name has to be given where the version says so', () => {
  assert.throws(() => emailAuthCustomizationParams.read({}, '', 'strict'), /missing field `appName`/)
  assert.throws(() => emailAuthCustomizationParams.read({ appName: '' }, '', 'strict'), Failure)
})

test('a text message template holds a place for the code', () => {
  assert.throws(() => smsCustomizationParams.read({ template: 'Hello' }, '', 'strict'), /must hold/)
  const template = 'Your code:\n{{.OtpCode}}'
  assert.deepEqual(smsCustomizationParams.read({ template }, '', 'strict'), { template })
})

test('nothing that is read can end a header line', () => {
  const anything = fc.record({
    appName: fc.string({ unit: 'binary' }),
    logoUrl: fc.string({ unit: 'binary' }).map((end) => `https://example.com/${end}`),
    magicLinkTemplate: fc.string({ unit: 'binary' }).map((end) => `https://example.com/%s${end}`),
    templateVariables: fc
      .dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
      .map((record) => JSON.stringify(record)),
  })
  fc.assert(
    fc.property(anything, (given) => {
      try {
        const read = emailCustomizationOf(emailCustomizationParams.read(given, '', 'strict'))
        const { templateVariables = {}, ...rest } = read
        for (const value of [...Object.entries(templateVariables).flat(), ...Object.values(rest)])
          assert.doesNotMatch(value, /[\p{Cc}\u2028\u2029]/u)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
    }),
    { numRuns: 500 },
  )
})

test('a sender is passed on as far as it was given', () => {
  assert.deepEqual(emailSenderOf({}), {})
  assert.deepEqual(
    emailSenderOf({
      sendFromEmailAddress: 'no-reply@example.com',
      sendFromEmailSenderName: 'Example',
      replyToEmailAddress: '',
    }),
    { fromAddress: 'no-reply@example.com', fromName: 'Example' },
  )
})
