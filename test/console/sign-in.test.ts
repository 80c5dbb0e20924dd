import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { isolated } from '../../console/words/define-words.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { consoleTests, signOut } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('a stranger sees the way in, and nothing of what exists', async ({ open, look, root }) => {
  const page = await open()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.doesNotMatch(await page.content(), new RegExp(root.organizationId))
  await look(page, 'sign-in')
})

consoleTest(
  'an API key signs in, is kept nowhere, and signing out leaves nothing',
  async ({ signedIn, root }) => {
    const page = await signedIn()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    const stored = await page.evaluate(STORED)
    assert.doesNotMatch(String(stored), new RegExp(root.privateKey))
    assert.match(String(stored), /"extractable":false/)
    await page.reload()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await signOut(page)
    assert.deepEqual(JSON.parse(String(await page.evaluate(STORED))).session, [])
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

consoleTest(
  'the way in is shown once the session is forgotten, so that a page may be closed then',
  async ({ open, signedIn }) => {
    const page = await signedIn()
    const other = await open()
    await other.evaluate(HOLD_DATABASE)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.evaluate(TWO_FRAMES)
    assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 0)
    await other.evaluate('released = true')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.close()
    await (await open()).getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

consoleTest(
  'signing out ends the session in every tab, also where a passkey has signed in',
  async ({ open, givePasskey, signedIn, root }) => {
    const reading = await open()
    await givePasskey(reading)
    await reading.getByLabel('Organization').fill(root.organizationId)
    await reading.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await reading.getByRole('heading', { name: 'Approvals' }).waitFor()
    const page = await signedIn()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    const other = await open('/users')
    await other.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    await signOut(page)
    for (const tab of [other, reading]) {
      await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
      await tab.reload()
      await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
  },
)

consoleTest(
  'a tab goes on with its own session when it is loaded anew, after another user has signed in with a key',
  async ({ open, givePasskey, signedIn, user, root }) => {
    const reading = await open()
    const reader = await user(root, 'Reader of this tab')
    await givePasskey(reading, reader)
    await reading.getByLabel('Organization').fill(root.organizationId)
    await reading.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await reading.getByText('Reader of this tab').waitFor()
    const page = await signedIn()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await reading.reload()
    await reading.getByRole('heading', { name: 'Approvals' }).waitFor()
    await reading.getByText('Reader of this tab').waitFor()
    // A key that signs in here is what this tab goes on with.
    await reading.goto(reading.url().replace(/#.*/, `#/key/${root.organizationId}`))
    await reading
      .getByLabel('Paste the API key here')
      .fill(`API_PUBLIC_KEY=${root.publicKey} API_PRIVATE_KEY=${root.privateKey}`)
    await reading.getByRole('button', { name: 'Sign in', exact: true }).click()
    await reading.getByRole('heading', { name: 'Approvals' }).waitFor()
    await reading.reload()
    await reading.getByRole('heading', { name: 'Approvals' }).waitFor()
    assert.equal(await reading.getByText('Reader of this tab').count(), 0)
    await signOut(reading)
  },
)

consoleTest(
  'signing out ends the session of a tab that shows another page too',
  async ({ open, givePasskey, signedIn, root }) => {
    const reading = await open()
    await givePasskey(reading)
    await reading.getByLabel('Organization').fill(root.organizationId)
    await reading.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await reading.getByRole('heading', { name: 'Approvals' }).waitFor()
    const page = await signedIn()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await reading.goto('about:blank')
    await signOut(page)
    await reading.goBack()
    await reading.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(JSON.parse(String(await reading.evaluate(STORED))).tab, {})
  },
)

consoleTest(
  'a tab that is just loading its session does not go on with it after a sign-out',
  async ({ open, signedIn }) => {
    const page = await signedIn()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    const other = await open()
    await other.getByRole('heading', { name: 'Approvals' }).waitFor()
    const asked = Promise.withResolvers<Route>()
    await other.route('**/query/whoami', asked.resolve)
    await other.reload({ waitUntil: 'commit' })
    const held = await asked.promise
    await signOut(page)
    await held.continue()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

consoleTest('a passkey signs in with one gesture, to read', async ({ open, givePasskey, root, look }) => {
  const page = await open()
  await givePasskey(page)
  await page.getByLabel('Organization').fill(root.organizationId)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Approvals' }).waitFor()
  assert.deepEqual(JSON.parse(String(await page.evaluate(STORED))).session, [])
  await look(page, 'nothing-waits')
})

consoleTest('a refused sign-in says why in a sentence', async ({ open, someone, root }) => {
  const page = await open()
  const { publicKey, privateKey } = someone(root.organizationId)
  await page.getByLabel('Organization').fill(root.organizationId)
  await page.getByText('With an API key').click()
  await page.getByLabel('Or paste it').fill('nothing')
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByText('There is no P-256 API key in this text').waitFor()
  await page.getByLabel('Or paste it').fill(JSON.stringify({ publicKey: root.publicKey, privateKey }))
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByText('are not of one P-256 key').waitFor()
  await page.getByLabel('Or paste it').fill(JSON.stringify({ publicKey, privateKey }))
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByText('The service refused this').waitFor()
  await page.getByLabel('Or paste it').fill('nothing')
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByText('There is no P-256 API key in this text').waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
})

consoleTest('at an IP address the page says where passkeys can be used', async ({ open, consoleUrl }) => {
  const page = await open()
  await page.goto(consoleUrl.replace('localhost', '127.0.0.1'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  const said = await page.getByRole('alert').innerText()
  assert.equal(
    said,
    `Browsers use no passkeys at the address ${isolated('127.0.0.1')}. Open this page by a host name: by https, or at localhost.`,
  )
})

/** With a clipboard, as a person does it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+v')
}

/** Whatever stands in a field, readable or not. */
async function inFields(page: Page): Promise<string> {
  const fields = page.locator('input:not([type=file]), textarea')
  return (await fields.evaluateAll((all) => all.map((one) => (one as { value?: string }).value))).join('\n')
}

consoleTest('a link asks for a key, which signs in as soon as it is pasted', async ({ open, root, look }) => {
  const { organizationId, publicKey, privateKey } = root
  const page = await open(`/key/${organizationId}/users`)
  await page.getByLabel('Paste the API key here').and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByLabel('Organization').inputValue(), organizationId)
  await look(page, 'sign-in-key')
  await page.getByLabel('Paste the API key here').focus()
  await paste(page, `API_PUBLIC_KEY=${publicKey} API_PRIVATE_KEY=${privateKey}`)
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  assert.match(page.url(), /#\/users$/)
  // The link asks again, also with a session open: it may be for another user.
  await page.evaluate(`location.hash = '#/key/${organizationId}/tags'`)
  await page.getByLabel('Paste the API key here').fill(`publicKey: ${publicKey}, privateKey: ${privateKey}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
  await signOut(page)
})

consoleTest(
  'an organization of another tenant with the same names is told apart by the end of its id',
  async (setting) => {
    const { root, subOrganization, open } = setting
    const { publicKey, privateKey } = root
    const own = await root.client.getWhoami({ organizationId: root.organizationId })
    const [mallory] = await subOrganization(own.organizationName, ['Mallory'])
    const namesake = {
      userName: own.username,
      apiKeys: [{ apiKeyName: 'k', publicKey, curveType: 'API_KEY_CURVE_P256' as const }],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }
    const { client, activity, organizationId } = present(mallory, 'the other tenant')
    await client.createUsers(activity('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [namesake] }))
    const page = await open(`/key/${organizationId}/import-export`)
    await page.getByLabel('Paste the API key here').fill(`publicKey: ${publicKey}, privateKey: ${privateKey}`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const end = `(…${organizationId.slice(-8)})`
    await page.locator('header').getByText(end).waitFor()
    await signOut(page)
    await page.locator('label', { hasText: end }).waitFor()
  },
)

consoleTest(
  'a private key that comes to another place is taken as the key, and is never readable',
  async ({ open, root }) => {
    const { organizationId, publicKey, privateKey } = root
    const page = await open()
    const organization = page.getByLabel('Organization')
    await organization.fill('')
    // Half of a key is put nowhere.
    await organization.focus()
    await paste(page, privateKey)
    await page.getByText('There is no P-256 API key in this text').waitFor()
    assert.doesNotMatch(await inFields(page), new RegExp(privateKey))
    // Dropped, or written by a program.
    await organization.fill(`API_PRIVATE_KEY=${privateKey}`)
    assert.doesNotMatch(await inFields(page), new RegExp(privateKey))
    // A whole one waits for its organization, and nothing of it can be read.
    await organization.focus()
    await paste(page, `API_PUBLIC_KEY=${publicKey} API_PRIVATE_KEY=${privateKey}`)
    await page.getByText('which dev.env has as ORGANIZATION_ID').waitFor()
    assert.doesNotMatch(await inFields(page), new RegExp(privateKey))
    await organization.fill(organizationId)
    await page.getByText('With an API key').click()
    const field = page.getByLabel('Or paste it')
    assert.equal(
      await field.evaluate((one) => getComputedStyle(one).getPropertyValue('-webkit-text-security')),
      'disc',
    )
    await page.getByRole('button', { name: 'Sign in with this key' }).click()
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await signOut(page)
    // Nowhere in particular.
    await page.locator('main').click()
    await paste(page, JSON.stringify({ organizationId, publicKey, privateKey }))
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await signOut(page)
  },
)

consoleTest(
  'what the policy of the page forbids fails a test',
  async ({ open }) => {
    const page = await open()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const text of PLANTED) await page.evaluate(`try { ${text} } catch {}`)
  },
  [/style-src/, /TrustedScriptURL/, /TrustedHTML/, /connect-src|Refused to connect/],
)

const PLANTED = [
  "document.body.setAttribute('style', 'color: red')",
  "document.head.append(Object.assign(document.createElement('script'), { src: 'data:text/javascript,0' }))",
  "document.body.innerHTML = '<p>'",
  "fetch('https://example.com/').catch(() => {})",
]

/** What the browser keeps for the page: its storages, and what is in its database. */
const STORED = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('claviger', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('session')
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const all = opening.result.transaction('session').objectStore('session').getAll()
    all.onsuccess = () => {
      opening.result.close()
      const session = all.result.map((kept) => ({ ...kept, extractable: kept.privateKey.extractable }))
      resolve(JSON.stringify({ session, tab: { ...sessionStorage }, browser: { ...localStorage } }))
    }
  }
})`

/** Other transactions wait for one that goes on asking, until `released`. */
const HOLD_DATABASE = `new Promise((resolve, reject) => {
  globalThis.released = false
  const opening = indexedDB.open('claviger', 1)
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const kept = opening.result.transaction('session', 'readwrite').objectStore('session')
    const ask = () => {
      if (released) return opening.result.close()
      kept.count().onsuccess = ask
      resolve()
    }
    ask()
  }
})`

const TWO_FRAMES = 'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))'
