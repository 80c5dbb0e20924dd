import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownRequest } from './shown-request.ts'

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6IjEifQ.c2lnbmF0dXJl-_'

test('a token is shown without its signature, in an intent and in the text of a request that a vote carries', () => {
  const intent = JSON.stringify({ verificationToken: token, tokens: [token], note: 'a.b.c' })
  const shown = { verificationToken: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6IjEifQ.', note: 'a.b.c' }
  assert.deepEqual(JSON.parse(shownRequest(intent)), { ...shown, tokens: [shown.verificationToken] })
  const votes = JSON.stringify([{ message: JSON.stringify({ parameters: intent }) }])
  assert.ok(!shownRequest(votes).includes('c2lnbmF0dXJl'))
  assert.equal(JSON.parse(JSON.parse(shownRequest(votes))[0].message).parameters, shownRequest(intent))
})

test('a token is shown without its signature, whatever white space its issuer has written', () => {
  const segment = (json: string) => Buffer.from(json).toString('base64url')
  const [header, payload] = ['{"alg":"ES256"}', '{"iss":"https://issuer.example"}']
  for (const space of ['', ' ', '\n', '\r\n', '\t', '\n  ']) {
    const objects = [
      [header.replace('{', `{${space}`), payload],
      [header, payload.replace('{', `{${space}`)],
      [`${space}${header}`, `${space}${payload}`],
    ].map((pair) => pair.map(segment).join('.'))
    for (const claims of objects) {
      const intent = JSON.stringify({ oidcToken: `${claims}.c2lnbmF0dXJl`, publicKey: 'eyes.example.com' })
      assert.equal(shownRequest(intent), intent.replace('c2lnbmF0dXJl', ''))
    }
  }
})

test('a code that was sent in clear is not shown, however the request is written', () => {
  for (const name of ['otpCode', 'otp_code', 'authCode', 'auth_code']) {
    for (const space of [undefined, 2]) {
      const message = JSON.stringify({ parameters: { otpId: '1', [name]: '123456' } }, undefined, space)
      for (const text of [message, JSON.stringify([{ message }])]) {
        const shown = shownRequest(text)
        assert.ok(!shown.includes('123456'))
        assert.equal(
          JSON.stringify(JSON.parse(shown)).length + (text.length - shown.length),
          JSON.stringify(JSON.parse(text)).length,
        )
      }
    }
  }
})

test('a code that was sent in clear is not shown, whichever of its letters are written as numbers', () => {
  for (const pair of [
    String.raw`"otp\u0043ode":"123456"`,
    String.raw`"\u006ftp\u005fcode":"123456"`,
    String.raw`"\u006Ftp\u005Fcode" : "123456"`,
    String.raw`"otpCode":"12\u0033\u003456"`,
    String.raw`"\u0061uthCode":"123456"`,
    String.raw`"authCode":"4\/123456"`,
  ]) {
    const message = `{"parameters":{"otpId":"1",${pair}}}`
    for (const text of [message, JSON.stringify([{ message }])])
      assert.ok(!/56/.test(JSON.stringify(JSON.parse(shownRequest(text)))), text)
  }
})

test('everything else is shown as it is', () => {
  for (const json of [
    '{}',
    '[]',
    '{"payload":"eyJ","next":".eyJ"}',
    '{"a":"otpCode","b":"eyJhbGciOiJub25lIn0.e30."}',
    '{"domain":"eyes.example.com","mail":"ex.ey.example@eyes.example.org","id":"ID.IN.Co.DQ.Da"}',
  ])
    assert.equal(shownRequest(json), json)
})

test('no text is read more than twice: the steps grow with the length and not with its square', () => {
  for (const part of [
    '-eyJ',
    'eyJ.',
    '.eyJ',
    'eyJa.eyJ-',
    '"otpCode"   ',
    '"otp_code":"',
    '"auth_code":"',
    '"\\\\',
    '"otpCode":"\\\\u0',
    'eyJ-.eyJ-.-',
    'ex.ey.-',
    'ICB7fQ.ICB7fQ.',
  ]) {
    const json = part.repeat(400_000)
    // Square, it would take hours.
    assert.ok(shownRequest(json).length <= json.length)
  }
})
