import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { present } from '../base/assert.ts'
import { isLinkTemplate, magicLink } from './magic-link.ts'

test('a template is a URL of a scheme that is opened and not run, with a place for the code behind it', () => {
  for (const template of [
    'https://example.com/login?code=%s&lang=en',
    'http://localhost:3000/%s',
    'app://login/%s',
    'http://127.0.0.1:8080/%s',
    'https://example.com/#%s/%s',
  ])
    assert.equal(isLinkTemplate(template), true, template)
  for (const template of [
    '',
    '%s',
    'no url %s',
    'https://example.com/',
    'https://example.com/\n%s',
    'https://example.com/ %s',
    'javascript:alert("%s")',
    'JavaScript:%s',
    '\tjavascript:%s',
    'data:text/html,%s',
    'vbscript:%s',
    'file:///etc/%s',
    'blob:https://example.com/%s',
    'app:%s',
    'mailto:thief@example.com?body=%s',
    'mailto://thief@example.com?body=%s',
    'sms:+15550100?body=%s',
    'sms://+15550100?body=%s',
    'javascript://%0aalert(%s)',
    'intent://scan/%s#Intent;end',
    'view-source:https://example.com/%s',
    'ftp://example.com/%s',
    'http://example.com/%s',
    'http://localhost.example.com/%s',
    'https://example.com/"onload=alert(%s)',
    "https://example.com/'%s",
    'https://example.com/<script>%s</script>',
    'https://example.com\\@evil.example/%s',
    '%s://example.com',
    'https://example.com:%s/',
    'https://1.%s/',
    '//example.com/%s',
  ])
    assert.equal(isLinkTemplate(template), false, template)
})

test('a link comes of every template that is accepted, whatever the code is', () => {
  const scheme = fc.constantFrom('https://', 'http://', 'app:', 'APP://', 'javascript:', '')
  const part = fc.oneof(
    fc.constantFrom('%s', 'a.test', '/', ':', '?', '#', '@', '.', '%', '1', 'x', '[', ']', '\\'),
    fc.string({ maxLength: 3, unit: 'binary' }),
  )
  const template = fc
    .tuple(scheme, fc.array(part, { maxLength: 8 }))
    .map(([head, tail]) => head + tail.join(''))
  const digits = fc.integer({ min: 0, max: 999_999_999 }).map(String)
  const secret = fc.oneof(
    digits,
    digits.map((code) => code.padStart(9, '0')),
    fc.stringMatching(/^[A-Za-z0-9]{6,150}$/),
  )
  fc.assert(
    fc.property(template, secret, (given, code) => {
      fc.pre(isLinkTemplate(given))
      const link = present(magicLink(given, code), 'a link')
      assert.ok(link.includes(code))
      assert.notEqual(new URL(link).protocol, 'javascript:')
    }),
    { numRuns: 3000, maxSkipsPerRun: 1000 },
  )
})
