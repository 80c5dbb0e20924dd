import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text)
}

consoleTest(
  'a policy is written with its mistakes shown, tried, replayed, and asked for as one activity',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const ada = await user(root, 'Ada')
    const denied = ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', {
      userTagName: 'Refused before',
      userIds: [],
    })
    await assert.rejects(ada.client.createUserTag(denied))

    const page = await signedIn('/policies')
    await page.getByText('There are no policies').waitFor()
    await look(page, 'policies-none')
    await page.getByRole('link', { name: 'Write a policy' }).click()
    await write(page, 'Name', 'Ada makes tags')
    // The caret stands behind what was typed.
    await page.getByLabel('Condition', { exact: true }).pressSequentially('activity.ki')
    await page.getByText('no field').or(page.locator('mark')).first().waitFor()
    await look(page, 'policy-with-a-mistake')
    await page.getByRole('button', { name: 'kind', exact: true }).click()
    assert.equal(await page.getByLabel('Condition', { exact: true }).inputValue(), 'activity.kind')
    await write(page, 'Condition', "activity.kind == 'CREATE_USER_TAG'")
    await page.getByText('int', { exact: false }).waitFor({ state: 'detached' })
    await write(page, 'Consensus', 'approvers.count() >= 1')
    const sentence = (await page.locator('p.note').first().innerText()).replace(/[\u2068\u2069]/g, '')
    assert.equal(
      sentence,
      "Allows requests where the kind of activity is 'CREATE_USER_TAG', provided that the number of approvers is at least 1.",
    )

    await page.getByText('Try it on a request').click()
    await page.getByLabel('Asked for by').selectOption({ label: 'Ada' })
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    const tried = page.locator('details [role=status]')
    await tried.waitFor()
    assert.equal(await tried.innerText(), 'By the policies of now: denied With this policy: allowed')

    await page.getByRole('button', { name: 'Replay the last thousand' }).click()
    await page.getByText(/it would have changed the decision on .*1/).waitFor()
    await page.getByRole('link', { name: 'ACTIVITY_TYPE_CREATE_USER_TAG' }).waitFor()
    await look(page, 'policy-new')

    await page.getByRole('button', { name: 'Ask for this change' }).click()
    await page.locator('[role=status]', { hasText: 'Carried out' }).waitFor()
    await page.getByRole('link', { name: 'All policies' }).click()
    await page.getByRole('link', { name: 'Ada makes tags' }).waitFor()
    await look(page, 'policies')
  },
)

consoleTest(
  'a policy is changed in what was changed alone, after a look at both',
  async ({ root, signedIn, look }) => {
    const condition = "activity.action == 'EXPORT'"
    const made = root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'No exports',
      effect: 'EFFECT_DENY' as const,
      condition,
      notes: 'Kept as it is',
    })
    await root.client.createPolicy(made)
    const page = await signedIn('/policies')
    await page.getByRole('link', { name: 'No exports' }).click()
    await page.getByText('Nothing has been changed.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Ask for this change' }).isDisabled())
    await write(page, 'Condition', `${condition} || activity.action == 'DELETE'`)
    assert.equal(await page.locator('del').innerText(), condition)
    await look(page, 'policy-changed')
    const sent = page.waitForRequest('**/submit/update_policy')
    await page.getByRole('button', { name: 'Ask for this change' }).click()
    const { parameters } = JSON.parse((await sent).postData() ?? '')
    assert.deepEqual(Object.keys(parameters).toSorted(), ['policyCondition', 'policyId'])
    await page.getByText('Carried out').waitFor()
  },
)

consoleTest('what is wrong in a policy is said in the words of the service', async ({ root, signedIn }) => {
  const page = await signedIn('/policies/new')
  for (const [part, label, text] of [
    ['condition', 'Condition', 'eth.tx.value == "5"'],
    ['condition', 'Condition', 'nothing.here == 1'],
    ['condition', 'Condition', "activity.kind == 'X' &&"],
    ['consensus', 'Consensus', 'approvers.count() > "two"'],
    ['time', 'Time', 'time.now > 5'],
  ] as const) {
    await write(page, label, text)
    const shown = await page.locator('.note.bad').innerText()
    const terms = { policyName: 'Wrong', effect: 'EFFECT_ALLOW' as const, notes: '', [part]: text }
    const refused = await root.client
      .createPolicy(root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', terms))
      .catch(String)
    const [, reason = ''] = /Expression cannot be evaluated: ([^"\\]*)/.exec(String(refused)) ?? []
    assert.ok(
      reason.length > 5 && shown.replaceAll('"', '').startsWith(reason.slice(0, 20)),
      `${shown}\n${String(refused)}`,
    )
    assert.ok(await page.getByRole('button', { name: 'Ask for this change' }).isDisabled())
    await write(page, label, '')
  }
})
