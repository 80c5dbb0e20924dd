import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumAvailable, chromiumMissing, openChromium } from '../support/chromium.ts'
import { runService } from '../support/running-service.ts'
import { ownSeconds, told, wordsIn } from './gestures.ts'
import { approveAsSecondPerson } from './two-people.ts'

test('a stranger approves a transfer above a limit as the second person in less than a minute, by a model', {
  skip: !chromiumAvailable() && chromiumMissing,
}, async () => {
  const service = await runService('dev')
  const browser = await openChromium()
  try {
    const { person } = await approveAsSecondPerson(service, browser, () => 0)
    // With each word read, on every page, down to its buttons, and the address and the digits compared
    // (docs/decisions/console.md). Of the minute, two seconds are the machine's.
    assert.ok(ownSeconds(person.steps) < 58, told(person.steps))
  } finally {
    await browser.close()
    await service.kill()
  }
})

test('what is read is counted in words, and digits in groups', () => {
  assert.equal(wordsIn('Send 2 ETH · to Bob.'), 5)
  assert.equal(wordsIn('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'), 7)
})
