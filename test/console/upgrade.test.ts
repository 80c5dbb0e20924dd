import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { serializeTransaction } from 'viem'
import { consoleTests } from './console-setting.ts'
import { inLanguage } from './in-german.ts'

const consoleTest = await consoleTests()

const OTHER_VERSION = 'The service has another version of this page by now'
const FILES = '**/console/*.js'
const PAGE = '**/console/'
const MISSED = [/Failed to load resource/]

/** From now on the service has files of other names. */
async function upgrade(page: Page): Promise<void> {
  await page.route(FILES, (route) => route.fulfill({ status: 404, body: 'there is no such file\n' }))
  await page.route(PAGE, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/app-\w+\.js/, 'app-ANOTHER1.js') })
  })
}

consoleTest(
  'a page that stays open over an upgrade says so where it misses a file, and keeps what was typed',
  async ({ root, signedIn, look }) => {
    await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Till',
            curve: 'CURVE_SECP256K1' as const,
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
          },
        ],
      }),
    )
    const page = await signedIn('/sign')
    const text = page.getByRole('textbox')
    await text.waitFor()
    // The words that `look` shows come now; those of the other language would be missing too.
    await inLanguage(page, 'de')
    await inLanguage(page, 'en')
    await upgrade(page)
    const typed = serializeTransaction({
      type: 'eip1559',
      chainId: 1,
      gas: 21_000n,
      value: 5n,
      to: TO,
    }).slice(2)
    await text.fill(typed)
    await page.getByRole('button', { name: 'Show what these bytes say' }).click()
    await page.getByText(OTHER_VERSION).waitFor()
    assert.equal(await text.inputValue(), typed)
    await look(page, 'another-version')

    // A screen that was not opened before is missing too; the way back is not.
    await page.getByRole('link', { name: 'Limits' }).click()
    await page.getByText(OTHER_VERSION).waitFor()
    await page.unroute(FILES)
    await page.unroute(PAGE)
    await page.getByRole('button', { name: 'Reload this page' }).click()
    await page.getByRole('heading', { name: 'Limits' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  },
  MISSED,
)

const TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

consoleTest(
  'a file that cannot be had for another reason is not told as an upgrade',
  async ({ signedIn }) => {
    const page = await signedIn('/users')
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await page.route(FILES, (route) => route.abort())
    await page.getByRole('link', { name: 'Limits' }).click()
    await page.getByText('This page met a fault of its own').waitFor()
    await page.route(PAGE, (route) => route.abort())
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.getByText('The service cannot be reached').waitFor()
    assert.equal(await page.getByText(OTHER_VERSION).count(), 0)
  },
  MISSED,
)
