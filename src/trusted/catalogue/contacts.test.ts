import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../base/failure.ts'
import { contactsOf, email, emailOrNone, phoneNumber, phoneNumberOrNone } from './contacts.ts'

const anything = fc.oneof(
  fc.string(),
  fc.string({ maxLength: 8 }).map((text) => `a@${text}.com`),
  fc.anything(),
)

test('reading a contact gives back what was sent, or refuses it; nothing else happens', () => {
  fc.assert(
    fc.property(anything, (given) => {
      for (const shape of [email, phoneNumber, emailOrNone, phoneNumberOrNone]) {
        try {
          assert.equal(shape.read(given, 'x', 'strict'), given)
        } catch (error) {
          assert.ok(error instanceof Failure, String(error))
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('what the e-mail standards have in everyday use is an address', () => {
  const parts = fc.stringMatching(/^[a-z0-9]{1,20}([.+_-][a-z0-9]{1,10}){0,2}$/)
  const domain = fc.stringMatching(/^([a-z0-9]{1,20}\.){1,3}[a-z]{2,10}$/)
  fc.assert(
    fc.property(parts, domain, (local, host) => {
      const address = `${local}@${host}`
      assert.equal(email.read(address, 'x', 'strict'), address)
    }),
    { numRuns: 200 },
  )
})

test('the longest address has 254 characters and the longest number fifteen digits', () => {
  const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(57)}.com`
  const longest = `${'x'.repeat(64)}@${host}`.slice(0, 254)
  assert.equal(longest.length, 254)
  assert.equal(email.read(longest, 'x', 'strict'), longest)
  assert.throws(
    () => email.read(`y${longest.slice(0, 63)}${longest.slice(63)}`, 'x', 'strict'),
    /invalid email address/,
  )
  assert.equal(phoneNumber.read('+123456789012345', 'x', 'strict'), '+123456789012345')
  assert.throws(() => phoneNumber.read('+1234567890123456', 'x', 'strict'), /invalid phone number/)
})

test('empty text stands for no contact, where a contact may be left out', () => {
  assert.deepEqual(
    contactsOf({ userEmail: emailOrNone.read('', 'x', 'strict'), userPhoneNumber: '+15551234567' }),
    {
      userPhoneNumber: '+15551234567',
    },
  )
  assert.throws(() => email.read('', 'x', 'strict'), /invalid email address/)
  assert.throws(() => phoneNumber.read('', 'x', 'strict'), /invalid phone number/)
})
