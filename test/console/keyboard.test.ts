import assert from 'node:assert/strict'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { Locator, Page } from 'playwright-core'
import { serializeTransaction } from 'viem'
import { say as approvals } from '../../console/screens/approvals/words.ts'
import { say as policies } from '../../console/screens/policies/words.ts'
import { say as settings } from '../../console/screens/settings/words.ts'
import { say as sign } from '../../console/screens/sign/words.ts'
import { say as signIn } from '../../console/screens/sign-in/words.ts'
import { say as tags } from '../../console/screens/tags/words.ts'
import { say as invitations } from '../../console/screens/users/invitations/words.ts'
import { say as mfa } from '../../console/screens/users/mfa/words.ts'
import { say as users } from '../../console/screens/users/words.ts'
import { say as wallets } from '../../console/screens/wallets/words.ts'
import { say as titles } from '../../console/screens/words.ts'
import { say as parts } from '../../console/parts/words.ts'
import { say as shell } from '../../console/shell/words.ts'
import type { Person } from '../clients/setting.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

/** By the keyboard alone, and in German. */
const consoleTest = await consoleTests()

const TABS_MAX = 150

/** Goes on with the tabulator until this has the focus, which has to be seen. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
      const outline = await target.evaluate((element) => getComputedStyle(element).outlineStyle)
      assert.notEqual(outline, 'none', String(target))
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tabulator does not reach ${String(target)}`)
}

async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await reach(page, page.getByRole(role, { name, exact: true }))
  await page.keyboard.press('Enter')
}

async function unfold(page: Page, title: string): Promise<void> {
  await reach(page, page.locator('summary', { hasText: title }))
  await page.keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** By the menu; the screen reader begins with what is new. */
async function goTo(page: Page, screen: keyof typeof titles.texts.de): Promise<void> {
  await press(page, 'link', titles.texts.de[screen])
  await page.getByRole('heading', { level: 1, name: titles.texts.de[screen], exact: true }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
  assert.match(await page.title(), new RegExp(`^${titles.texts.de[screen]}`))
}

/** Something was carried out, and the focus is not lost with a button that was disabled, or that is gone. */
async function isDone(page: Page): Promise<void> {
  await page.locator('.note.good', { hasText: parts.texts.de.completed }).waitFor()
  await page.locator('body *:focus').waitFor({ state: 'attached' })
}

async function inGerman({ open }: ConsoleSetting, person: Person): Promise<Page> {
  const page = await open()
  const signOut = page.getByRole('button', { name: /Sign out|Abmelden/ })
  await signOut.or(page.locator('summary').first()).waitFor()
  if (await signOut.isVisible()) await signOut.click()
  await reach(page, page.locator('header select'))
  await page.keyboard.press('d')
  await unfold(page, signIn.texts.de.byKey)
  const { organizationId, publicKey, privateKey } = person
  await type(page, signIn.texts.de.keyText, JSON.stringify({ organizationId, publicKey, privateKey }))
  await press(page, 'button', signIn.texts.de.keySubmit)
  await page.getByRole('heading', { name: titles.texts.de.approvals }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
  return page
}

consoleTest('every screen is reached and its main flow walked by the keyboard alone', async (setting) => {
  const { root } = setting
  const page = await inGerman(setting, root)

  await goTo(page, 'tags')
  await type(page, tags.texts.de.newOfUsers, 'Kasse')
  await page.keyboard.press('Enter')
  await isDone(page)
  await press(page, 'link', /^Kasse \(/)
  await page.getByRole('button', { name: tags.texts.de.remove }).waitFor()
  await press(page, 'button', tags.texts.de.remove)
  const asked = page.getByRole('alertdialog')
  assert.ok(await asked.evaluate((element) => element === element.ownerDocument.activeElement))
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: tags.texts.de.remove }).waitFor()
  await page.keyboard.press('Enter')
  await asked.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await isDone(page)

  await goTo(page, 'wallets')
  await unfold(page, wallets.texts.de.add)
  await type(page, wallets.texts.de.name, 'Reserve')
  await press(page, 'button', wallets.texts.de.create)
  await page.getByRole('link', { name: 'Reserve' }).waitFor()
  await page.locator('body *:focus').waitFor({ state: 'attached' })

  await goTo(page, 'sign')
  const unsigned = serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, value: 5n, to: TO })
  await type(page, sign.texts.de.transactionText, unsigned)
  await press(page, 'button', sign.texts.de.read)
  await press(page, 'button', sign.texts.de.sign)
  await isDone(page)

  await goTo(page, 'users')
  await unfold(page, users.texts.de.add)
  await type(page, users.texts.de.name, 'Grete')
  await type(page, users.texts.de.keyOfUser, generateP256KeyPair().publicKey)
  await press(page, 'button', users.texts.de.create)
  await page.getByRole('link', { name: 'Grete' }).waitFor()
  await page.locator('body *:focus').waitFor({ state: 'attached' })

  await goTo(page, 'policies')
  await press(page, 'link', policies.texts.de.write)
  await type(page, policies.texts.de.name, 'Nichts hinaus')
  await reach(page, page.getByLabel(policies.texts.de.effect))
  await page.keyboard.press('ArrowDown')
  await type(page, policies.texts.de.condition, "activity.action == 'EXPORT'")
  await page.getByText(policies.texts.de.noFindings).waitFor()
  await press(page, 'button', policies.texts.de.submit)
  await isDone(page)

  await goTo(page, 'settings')
  await type(page, settings.texts.de.name, 'Genossenschaft')
  await page.keyboard.press('Enter')
  await isDone(page)

  for (const screen of [
    'activities',
    'contracts',
    'import-export',
    'limits',
    'sub-organizations',
    'webhooks',
    'messages',
    'audit',
  ] as const)
    await goTo(page, screen)

  // Who leaves is at the way in, not nowhere.
  await press(page, 'button', shell.texts.de.signOut)
  await page.getByRole('heading', { name: signIn.texts.de.title }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
})

consoleTest('somebody is invited, and asked for a further proof, by the keyboard alone', async (setting) => {
  const { root, user } = setting
  await user(root, 'Frieda')
  const page = await inGerman(setting, root)
  await goTo(page, 'users')
  await press(page, 'link', invitations.texts.de.title)
  await unfold(page, invitations.texts.de.add)
  await type(page, invitations.texts.de.name, 'Grace')
  await type(page, invitations.texts.de.email, 'grace@example.com')
  await press(page, 'button', invitations.texts.de.invite)
  await isDone(page)
  await press(page, 'button', invitations.texts.de.cancel)
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('button:focus', { hasText: invitations.texts.de.cancel }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(invitations.texts.de.none).waitFor()
  await page.locator('body *:focus').waitFor({ state: 'attached' })

  await goTo(page, 'users')
  await press(page, 'link', /^Frieda \(/)
  await press(page, 'link', mfa.texts.de.title)
  await unfold(page, mfa.texts.de.add)
  await type(page, mfa.texts.de.name, 'Zweimal')
  await type(page, mfa.texts.de.condition, "activity.action == 'EXPORT'")
  const second = page.getByRole('group', { name: /2/ }).getByLabel(mfa.texts.de.session)
  await reach(page, second)
  await page.keyboard.press('Space')
  assert.ok(await second.isChecked())
  await press(page, 'button', mfa.texts.de.create)
  await isDone(page)
  await press(page, 'button', mfa.texts.de.remove)
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(mfa.texts.de.none).waitFor()
  await page.locator('body *:focus').waitFor({ state: 'attached' })
})

const TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

consoleTest('an approval is read and given by the keyboard alone', async (setting) => {
  const { root, user } = setting
  const ada = await user(root, 'Ada')
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Two agree',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.kind == 'CREATE_USER_TAG'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    }),
  )
  const { activity } = await ada.client.createUserTag(
    ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Notdienst', userIds: [] }),
  )
  assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const page = await inGerman(setting, root)
  await reach(page, page.getByRole('link', { name: /Notdienst/ }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: approvals.texts.de.facts }).waitFor()
  await press(page, 'button', approvals.texts.de.approve)
  await page.getByText(approvals.texts.de.done).waitFor()
  // The button is gone with the vote.
  await page.locator('body *:focus').waitFor({ state: 'attached' })
  const { organizationId } = root
  const after = await root.client.getActivity({ organizationId, activityId: activity.id })
  assert.equal(after.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})
