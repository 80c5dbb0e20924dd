import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { pageWithAuthenticator } from '../support/chromium.ts'
import { projectFolder, type RunningService, start } from '../support/running-service.ts'
import { type Gestures, gestures, wordsIn } from './gestures.ts'

/**
 * The two-person approval of a transfer above a limit, from the sentence that the first start prints: what a stranger
 * does in a terminal and in a browser, in this order. They read each word down to the buttons. The selecting and
 * copying in the terminal are counted and not done.
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
    /^(A transfer that needs.*)\n\n {2}(node .*two-people\.js .*)$/m.exec(greeting),
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
  const key = present(/^API_PUBLIC_KEY=.*$/m.exec(printed)?.[0], 'the line with the key')
  const address = present(/http\S+/.exec(printed)?.[0], 'the address')
  const [upToTheAddress = ''] = printed.split(address)
  assert.ok(upToTheAddress.includes(key), 'the key comes first')
  person.read('what it printed, up to the address, but for the key', upToTheAddress.replace(key, ''))
  person.think('what to do')
  person.click('select the line with the key', 3)
  person.press('copy', 3)
  const page = await pageWithAuthenticator(browser)
  person.click('the address, with the control key')
  const field = page.getByLabel('Paste the API key here')
  await person.wait('the console', async () => {
    await page.goto(address)
    await field.and(page.locator(':focus')).waitFor()
  })
  person.read('where to paste', await page.locator('main').innerText())
  person.press('paste', 2)
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await person.wait('signing in, and reading the bytes', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(key)})`)
    await page.keyboard.press('ControlOrMeta+v')
    await approve.waitFor()
  })
  const main = page.locator('main')
  const sentence = await main.locator('h1').innerText()
  assert.match(sentence, /Send 2 test ETH .* to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC/)
  // Down to the buttons they read every word, and the digits below these; they compare address and digits with the
  // terminal.
  const all = await main.innerText()
  const buttons = all.search(/^Approve$/m)
  assert.ok(buttons > 0, all)
  person.read('the page down to the buttons', all.slice(0, buttons))
  person.press('to the terminal and back', 4)
  person.read('the address again', sentence.slice(sentence.indexOf('0x'), sentence.indexOf('0x') + 42))
  const digits = present(/^Digits of the request: (\d{4} \d{4})$/m.exec(printed)?.[1], 'the digits')
  assert.ok(all.includes(digits), all)
  person.read('the digits, twice', `${digits} ${digits}`)
  const whole = wordsIn(await main.innerText())
  person.think('whether it is the right address')
  person.think('whether to approve it')
  if (!isInView(await approve.boundingBox(), page.viewportSize())) person.scroll('down to the buttons')
  person.click('Approve')
  const cast = page.locator('.note', { hasText: 'Approved.' })
  await person.wait('the vote', async () => {
    await approve.click()
    await cast.waitFor()
  })
  const outcome = await cast.innerText()
  assert.match(outcome, /the transaction is signed, not sent/)
  person.read('what came of it', outcome)
  await page.close()
  return { person, wordsOfPage: whole }
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

function isInView(box: Box | null, size: { readonly height: number } | null): boolean {
  return box !== null && size !== null && box.y + box.height <= size.height
}
