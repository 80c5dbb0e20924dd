import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { consoleTests } from './console-setting.ts'
import { inLanguage } from './in-german.ts'

const consoleTest = await consoleTests()

/** The files of words that pages load from now on, such as `words-de-users`. */
function wordsLoaded(page: Page): string[] {
  const names: string[] = []
  page.context().on('request', (request) => {
    const name = /\/console\/(words-.*)-\w+\.js$/.exec(request.url())?.[1]
    if (name !== undefined) names.push(name)
  })
  return names
}

consoleTest(
  'a page loads the words of its language alone, and the other when it is chosen',
  async (setting) => {
    const page = await setting.open()
    const loaded = wordsLoaded(page)
    await page.reload()
    await page.getByText('With an API key').click()
    assert.deepEqual(loaded, ['words-en-page'])
    const key = page.getByLabel('Or paste it')
    await key.fill('ORGANIZATION_ID=half of a ')
    await inLanguage(page, 'de')
    await page.getByRole('button', { name: 'Mit diesem Schlüssel anmelden' }).waitFor()
    assert.equal(await page.locator('textarea').inputValue(), 'ORGANIZATION_ID=half of a ')
    assert.deepEqual(loaded, ['words-en-page', 'words-de-page'])
    await page.reload()
    await page.getByText('Mit einem API-Schlüssel').waitFor()
    assert.deepEqual(loaded.slice(2), ['words-de-page'])
    await inLanguage(page, 'en')
  },
)

consoleTest(
  'a screen that is opened in a language goes on in the other with what is typed',
  async (setting) => {
    const page = await setting.signedIn('/users')
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    const loaded = wordsLoaded(page)
    await inLanguage(page, 'de')
    await page.getByRole('heading', { name: 'Benutzer', exact: true }).waitFor()
    assert.deepEqual(loaded.toSorted(), ['words-de-page', 'words-de-users'])
    await page.getByRole('link', { name: 'Limits' }).click()
    await page.getByRole('heading', { name: 'Limits' }).waitFor()
    // Which limit it is follows from its policy.
    assert.deepEqual(loaded.slice(2).toSorted(), ['words-de-limits', 'words-de-policies'])
    // English was not loaded for this screen.
    await inLanguage(page, 'en')
    assert.deepEqual(loaded.slice(4).toSorted(), ['words-en-limits', 'words-en-policies'])
  },
)

consoleTest(
  'a screen whose words are still on their way has them in the language that is chosen meanwhile',
  async (setting) => {
    const page = await setting.signedIn('/limits')
    await page.getByRole('heading', { name: 'Limits' }).waitFor()
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/console/words-en-users-*.js', async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(/words-en-users/)
    await page.getByRole('link', { name: 'Users' }).click()
    await asked
    await inLanguage(page, 'de')
    goOn()
    await page.getByRole('heading', { name: 'Benutzer', exact: true }).waitFor()
    await inLanguage(page, 'en')
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  },
)

consoleTest(
  'where the words of a language cannot be had, the page says so and stays as it is',
  async (setting) => {
    const page = await setting.signedIn('/messages')
    await page.getByRole('heading', { name: 'Messages' }).waitFor()
    await page.route('**/console/words-de-*.js', (route) => route.abort())
    await page.locator('header.top select').selectOption('de')
    await page.getByText('This page met a fault of its own').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    assert.equal(await page.locator('header.top select').inputValue(), 'en')
    await page.getByRole('heading', { name: 'Messages' }).waitFor()
    await page.unroute('**/console/words-de-*.js')
    await page.evaluate("localStorage.removeItem('claviger.language')")
  },
  [/Failed to load resource/],
)
