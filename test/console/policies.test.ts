import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { KNOWN_REQUESTS } from '../../console/screens/policies/known-requests.ts'
import { abstractRequestsOf } from '../../src/trusted/activities/abstract-requests.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { policyVocabulary } from '../../src/trusted/catalogue/vocabulary.ts'
import { lintPolicies } from '../../src/trusted/policy/lint.ts'
import type { Finding, LintedPolicy } from '../../src/trusted/policy/lint/finding.ts'
import { eventually } from '../support/eventually.ts'
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
    await page.locator('.field .note.bad').waitFor({ state: 'detached' })
    await write(page, 'Consensus', 'approvers.count() >= 1')
    const sentence = (await page.locator('p.note').first().innerText()).replace(/[\u2068\u2069]/g, '')
    assert.equal(
      sentence,
      "Allows requests where the kind of activity is 'CREATE_USER_TAG', provided that the number of approvers is at least 1.",
    )

    await page.getByText('Try it on a request').click()
    await page.getByLabel('Asked for by').selectOption(ada.userId)
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    const tried = page.locator('details [role=status]')
    await tried.waitFor()
    assert.equal(await tried.innerText(), 'By the policies of now: denied With what stands here: allowed')
    // It was judged with another text.
    await write(page, 'Consensus', 'approvers.count() >= 2')
    await tried.waitFor({ state: 'detached' })
    await write(page, 'Consensus', 'approvers.count() >= 1')
    await tried.waitFor()

    // One that was asked for, and what the page of an activity shows, are taken as they are.
    const recent = page.getByLabel('Take one that was asked for lately')
    await recent.selectOption({ index: 1 })
    const parameters = page.getByLabel('Parameters, as JSON')
    await eventually(async () => (await parameters.inputValue()).includes('Intent'))
    const taken = await parameters.inputValue()
    assert.match(taken, /"\w+Intent(V\d)?": \{/)
    await parameters.fill('{ "createUserTagIntent": { "userTagName": "Pasted", "userIds": [] } }')
    assert.equal(await page.getByLabel('Type of the request').inputValue(), 'ACTIVITY_TYPE_CREATE_USER_TAG')
    await page.getByLabel('Asked for by').selectOption(ada.userId)
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    await page.getByText('With what stands here: allowed').waitFor()
    await parameters.fill('{ "userTagName": ')
    assert.ok(await page.getByRole('button', { name: 'Try it', exact: true }).isDisabled())

    await page.getByRole('button', { name: 'Replay the last thousand' }).click()
    await page.getByText(/it would have changed the decision on .*1/).waitFor()
    await page.getByRole('link', { name: 'ACTIVITY_TYPE_CREATE_USER_TAG' }).waitFor()
    await look(page, 'policy-new')

    await page.getByRole('button', { name: 'Ask for this change' }).click()
    await page.locator('[role=status]', { hasText: 'Carried out' }).waitFor()
    await page.getByRole('link', { name: 'All policies' }).click()
    await page.getByRole('link', { name: 'Ada makes tags' }).waitFor()
    await page.getByText('The exact text').click()
    await page.locator('dd code', { hasText: "activity.kind == 'CREATE_USER_TAG'" }).waitFor()
    await look(page, 'policies')
  },
)

consoleTest(
  'a replay goes on in smaller pages where the service refuses a page',
  async ({ root, signedIn }) => {
    const tags = Array.from({ length: 9 }, (_, at) => ({ userTagName: `Tag ${at}`, userIds: [] }))
    for (const tag of tags)
      await root.client.createUserTag(root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', tag))
    const page = await signedIn('/policies/new')
    await write(page, 'Name', 'Draft')
    await write(page, 'Condition', "activity.action == 'SIGN'")
    const asked: number[] = []
    await page.route('**/query/replay_policies', async (route) => {
      const limit = Number(route.request().postDataJSON().paginationOptions.limit)
      asked.push(limit)
      // What the service answers if activities are large, or are much work to decide.
      if (limit > 3) await route.fulfill({ status: 400, json: { code: 3, message: 'the page is too large' } })
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Replay the last thousand' }).click()
    const text = await page.locator('[role=status]', { hasText: /would have changed/ }).innerText()
    assert.ok(Number(/^Of (\d+) activities/.exec(text)?.[1]) >= tags.length, text)
    assert.deepEqual(asked.slice(0, 9), [100, 50, 25, 13, 7, 4, 2, 4, 2])
  },
)

consoleTest(
  'a policy is changed to what stands in the page, and an approval sees all of it',
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
    const { policyId: _, ...all } = parameters
    // An empty consensus cannot be asked for.
    assert.deepEqual(all, {
      policyName: 'No exports',
      policyEffect: 'EFFECT_DENY',
      policyCondition: `${condition} || activity.action == 'DELETE'`,
      policyNotes: 'Kept as it is',
      time: '',
    })
    await page.getByText('Carried out').waitFor()
    await page.getByText('Nothing has been changed.').waitFor()
  },
)

consoleTest(
  'a policy that was changed meanwhile is neither overwritten nor deleted, and what was typed stays',
  async ({ root, signedIn, look }) => {
    const { activity } = await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Signers',
        effect: 'EFFECT_ALLOW' as const,
        condition: "activity.action == 'SIGN'",
        consensus: 'approvers.count() >= 2',
        notes: '',
      }),
    )
    const { policyId } = present(activity.result.createPolicyResult, 'the policy')
    const stored = async () =>
      (await root.client.getPolicy({ organizationId: root.organizationId, policyId })).policy
    const changes = async (changed: {
      readonly policyConsensus?: string
      readonly policyCondition?: string
    }) =>
      await root.client.updatePolicy(
        root.activity('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, ...changed }),
      )
    const page = await signedIn(`/policies/${policyId}`)
    const wider = "activity.action in ['SIGN', 'EXPORT']"
    await write(page, 'Condition', wider)
    await changes({ policyConsensus: 'approvers.count() >= 1' })
    await page.getByRole('button', { name: 'Ask for this change' }).click()
    await page.getByText('was changed since').waitFor()
    assert.equal((await stored()).condition, "activity.action == 'SIGN'")
    await eventually(
      async () =>
        (await page.getByLabel('Consensus', { exact: true }).inputValue()) === 'approvers.count() >= 1',
    )
    assert.equal(await page.getByLabel('Condition', { exact: true }).inputValue(), wider)
    assert.deepEqual(await page.locator('del').allInnerTexts(), ["activity.action == 'SIGN'"])
    await look(page, 'policy-changed-meanwhile')
    await page.getByRole('button', { name: 'Ask for this change' }).click()
    await page.getByText('Carried out').waitFor()
    const { condition, consensus } = await stored()
    assert.deepEqual([condition, consensus], [wider, 'approvers.count() >= 1'])
    await page.getByText('Nothing has been changed.').waitFor()

    await changes({ policyCondition: "activity.action == 'DELETE'" })
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Ask to delete it', exact: true }).click()
      await page.getByRole('button', { name: /yes, really/ }).click()
    }
    await remove()
    await page.getByText('was changed since').waitFor()
    assert.equal((await stored()).condition, "activity.action == 'DELETE'")
    // The page reads the policy anew, and would say now that there is none.
    await eventually(
      async () =>
        (await page.getByLabel('Condition', { exact: true }).inputValue()) === "activity.action == 'DELETE'",
    )
    await root.client.deletePolicy(root.activity('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
    await remove()
    await page.getByText('There is no such policy any more.').waitFor()
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
    const shown = await page.locator('.field .note.bad').innerText()
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

consoleTest('what the lint finds in a policy is shown as one types', async (setting) => {
  const { root, signedIn, look } = setting
  const transfers = {
    policyName: 'Small transfers',
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.action == 'SIGN'",
    notes: '',
  }
  await root.client.createPolicy(root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', transfers))
  const page = await signedIn('/policies/new')
  const findings = page
    .locator('h2', { hasText: 'What the lint finds' })
    .locator('xpath=following-sibling::div[1]')
  const shown = async (): Promise<string> => (await findings.innerText()).replaceAll(/[\u2066-\u2069]/g, '')
  const policyName = 'No transfers there'
  /** As `claviger policies lint` says it of all policies with this one. */
  const expected = async (
    condition: string,
    effect: LintedPolicy['effect'] = 'EFFECT_ALLOW',
  ): Promise<readonly Finding[]> => {
    const { policies } = await root.client.getPolicies({ organizationId: root.organizationId })
    const stored = policies.map(({ policyId, policyName, effect: of, condition: text, consensus }) => ({
      policyId,
      policyName,
      effect: of,
      ...(text === '' ? {} : { condition: text }),
      ...(consensus === '' ? {} : { consensus }),
    }))
    const found = (all: readonly LintedPolicy[]) =>
      lintPolicies(all, {
        vocabulary: policyVocabulary(activities),
        abstractRequests: abstractRequestsOf(activities),
      })
    const before = new Set(found(stored).map((one) => JSON.stringify(one)))
    return found([...stored, { policyId: 'new', policyName, effect, condition }]).filter(
      (one) => !before.has(JSON.stringify(one)),
    )
  }

  await write(page, 'Name', policyName)
  const never = "activity.action == 'SIGN' && activity.action == 'EXPORT'"
  await write(page, 'Condition', never)
  const [contradiction] = await expected(never)
  await page.getByText(present(contradiction, 'a finding').why).waitFor()
  assert.equal(contradiction?.policyId, 'new')

  // A denial that raw bytes go around is a finding about the policy that allows them.
  const around = "eth.tx.to == '0x00000000000000000000000000000000000000aa'"
  await page.getByLabel('Effect').selectOption('EFFECT_DENY')
  await write(page, 'Condition', around)
  const told = await expected(around, 'EFFECT_DENY')
  assert.ok(told.some(({ what, policyId }) => what === 'rawAroundDeny' && policyId !== 'new'))
  for (const { why } of told) await findings.getByText(why).waitFor()
  assert.match(await shown(), /Danger\..*Together with: Small transfers/s)
  await look(page, 'policy-with-findings')

  await page.getByLabel('Effect').selectOption('EFFECT_ALLOW')
  const sound = "activity.kind == 'CREATE_USER_TAG' && activity.resource == 'TAG'"
  await write(page, 'Condition', sound)
  for (const { why } of await expected(sound)) await findings.getByText(why).waitFor()
  await findings.getByText(told[0]?.why ?? '').waitFor({ state: 'detached' })

  await page.route('**/public/v1/query/get_organization_configs', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.configs.features = [{ name: 'FEATURE_NAME_RAW_SIGNING_GUARD', value: '' }]
    await route.fulfill({ response, json: answer })
  })
  await page.reload()
  await page.getByLabel('Effect').selectOption('EFFECT_DENY')
  await write(page, 'Condition', around)
  await findings.getByText('Nothing to look at').waitFor()
})

test('the lint of the page judges by the requests of the service', () => {
  assert.deepEqual(KNOWN_REQUESTS, abstractRequestsOf(activities))
})

consoleTest('a policy is deleted once it was asked again', async ({ root, signedIn }) => {
  const { activity } = await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Nobody exports',
      effect: 'EFFECT_DENY' as const,
      condition: "activity.action == 'EXPORT'",
      notes: '',
    }),
  )
  const { policyId } = present(activity.result.createPolicyResult, 'the policy')
  const stored = async (): Promise<boolean> => {
    const { policies } = await root.client.getPolicies({ organizationId: root.organizationId })
    return policies.some((policy) => policy.policyId === policyId)
  }
  const page = await signedIn(`/policies/${policyId}`)
  await page.getByRole('button', { name: 'Ask to delete it', exact: true }).click()
  await page.getByRole('alertdialog').getByText('the other policies').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await stored(), true)
  await page.getByRole('button', { name: 'Ask to delete it', exact: true }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Carried out').waitFor()
  assert.equal(await stored(), false)
})
