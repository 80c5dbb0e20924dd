import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { pageWithAuthenticator } from '../support/chromium.ts'
import { projectFolder, type RunningService, start } from '../support/running-service.ts'
import { type Gestures, gestures, wordsIn } from './gestures.ts'

/**
 * The two-person approval of a transfer above a limit, from the sentence that the first start prints: what a stranger does in a
 * terminal and in a browser, in this order. Of the request they read the sentence, each warning, who asks, and the policy. The
 * selecting and copying in the terminal are counted and not done.
 */
export async function approveAsSecondPerson(
  service: Pick<RunningService, 'output'>,
  browser: BrowserContext,
  now: () => number,
): Promise<{
  readonly person: Gestures
  /** How many there are on the page of the request, of which the person reads some. */
  readonly wordsOfPage: number
}> {
  const person = gestures(now)
  const greeting = service.output()
  const [, told, command] = present(
    /^(A transfer above a limit.*)\n\n {2}(node .*two-people\.js .*)$/m.exec(greeting),
    'what the greeting says of it',
  )
  person.read('the sentence in the terminal', told ?? '')
  person.think('to try it')
  person.click('select the command', 3)
  person.press('copy, a second terminal, paste, enter', 3 + 3 + 3 + 1)
  const printed = await person.wait('the command', async () => {
    const ran = start(['-c', present(command, 'the command')], {}, { program: 'sh', cwd: projectFolder })
    assert.equal(await ran.ended, 0, ran.output())
    return ran.output()
  })
  const key = present(/^ORGANIZATION_ID=.*$/m.exec(printed)?.[0], 'the line with the key')
  const address = present(/http\S+/.exec(printed)?.[0], 'the address')
  person.read('what it printed', printed.replace(key, '').replace(address, ''))
  person.think('what to copy')
  person.click('select the line', 3)
  person.press('copy', 3)
  const page = await pageWithAuthenticator(browser)
  person.click('the address, with the control key')
  await person.wait('the console', async () => {
    await page.goto(address)
    await page.getByText('With an API key').waitFor()
  })
  // Hints and other ways in are passed over by somebody who looks for the word that the terminal has said.
  person.think('where to paste it')
  if (!(await page.getByLabel('Or paste it').isVisible())) {
    await page.getByText('With an API key').click()
    person.click('With an API key')
  }
  await page.getByLabel('Or paste it').fill(key)
  person.click('the field')
  person.press('paste', 2)
  const enter = page.getByRole('button', { name: 'Sign in with this key' })
  person.click('Sign in with this key')
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await person.wait('signing in, and reading the bytes', async () => {
    await enter.click()
    await approve.waitFor()
    await page.getByText('May still approve').waitFor()
  })
  const main = page.locator('main')
  const sentence = await main.locator('h1').innerText()
  assert.match(sentence, /Send 2 test ETH .* to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC/)
  person.read('the sentence', sentence)
  for (const note of await main.locator('section.note').allInnerTexts()) person.read('what to stop at', note)
  for (const word of ['Asked by', 'Waits by the policy']) {
    const said = main.locator('dt', { hasText: word }).locator('xpath=following-sibling::dd[1]')
    person.read(word, `${word} ${await said.innerText()}`)
  }
  const whole = wordsIn(await main.innerText())
  person.think('whether to approve it')
  if (!isInView(await approve.boundingBox(), page.viewportSize())) person.scroll('down to the buttons')
  person.click('Approve')
  const cast = page.getByText(/Your vote is cast/)
  await person.wait('the vote', async () => {
    await approve.click()
    await cast.waitFor()
  })
  const outcome = await cast.innerText()
  assert.match(outcome, /ACTIVITY_STATUS_COMPLETED/)
  person.read('that it is done', outcome)
  await page.close()
  return { person, wordsOfPage: whole }
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

function isInView(box: Box | null, size: { readonly height: number } | null): boolean {
  return box !== null && size !== null && box.y + box.height <= size.height
}
