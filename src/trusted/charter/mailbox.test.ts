import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mailboxOf } from './mailbox.ts'

test('addresses that lead to one mailbox are one, and others are not', () => {
  for (const [address, mailbox] of [
    ['Ada@Example.com', 'ada@example.com'],
    ['ada+shop+1@example.com', 'ada@example.com'],
    ['a.da@example.com', 'a.da@example.com'],
    ['A.d.a+x@Gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['ada@notgmail.com', 'ada@notgmail.com'],
    ['+x@example.com', '@example.com'],
    ['@googlemail.com', '@gmail.com'],
    [' +15551234567 ', '+15551234567'],
  ] as const)
    assert.equal(mailboxOf(address), mailbox)
})

test('the mailbox of any text is the mailbox of itself', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(mailboxOf(mailboxOf(text)), mailboxOf(text))))
})
