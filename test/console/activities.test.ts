import assert from 'node:assert/strict'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

/** As long as a name may be said, with markup, a turn of direction and a character that nobody sees. */
const NAME = '<img src=x onerror=alert(1)>\u202egnp.exe\u200b'

consoleTest(
  'an activity is found by a name in it, and told with votes, result and explanation',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const ada = await user(root, 'Ada')
    const allowed = root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Ada makes tags',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.kind == 'CREATE_USER_TAG' && activity.action == 'CREATE'",
      consensus: `approvers.any(user, user.id == '${ada.userId}')`,
      notes: '',
    })
    await root.client.createPolicy(allowed)
    await ada.client.createUserTag(
      ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Treasurers', userIds: [] }),
    )
    const page = await signedIn('/activities')
    await page.getByLabel('Name in it').fill('treasurers')
    await page.getByLabel('Name in it').press('Enter')
    await page.getByRole('link', { name: 'CREATE_POLICY' }).waitFor({ state: 'detached' })
    await look(page, 'activities')
    await page.getByRole('link', { name: 'CREATE_USER_TAG' }).click()
    await page.getByText('by key').waitFor()
    await page.getByText('Ada', { exact: true }).waitFor()
    await page.getByText('"userTagId"').waitFor()
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('By the policies of now, it is allowed.').waitFor()
    await page.getByText('Ada makes tags').click()
    await page.getByText("activity.kind == 'CREATE_USER_TAG'", { exact: true }).waitFor()
    await page.getByText('As a request for a terminal').click()
    assert.match(
      (await page.locator('details pre').textContent()) ?? '',
      /^curl 'http:\/\/localhost:\d+\/public\/v1\/submit\/create_user_tag' [^]*--data-binary '\{"type":/,
    )
    await look(page, 'activity')
  },
)

consoleTest('the list shows what comes while it is open', async ({ root, signedIn }) => {
  const page = await signedIn('/activities')
  await page.getByRole('heading', { name: 'Activities' }).waitFor()
  await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Latecomers', userIds: [] }),
  )
  await page.getByText('Latecomers').waitFor()
})

consoleTest(
  'a name with markup or hidden characters is shown as what it is',
  async ({ root, signedIn, look }) => {
    await root.client.createUserTag(
      root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: NAME, userIds: [] }),
    )
    const page = await signedIn('/activities')
    await page.getByText('<img src=x onerror=alert(1)>⟨U+202E⟩gnp.exe⟨U+200B⟩').waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await page.getByRole('link', { name: 'CREATE_USER_TAG' }).first().click()
    await page.getByText('\\u202egnp.exe\\u200b').first().waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /[\u202e\u200b]/)
    await look(page, 'activity-with-hostile-name')
  },
)

consoleTest(
  'whatever a hostile host answers, the page says that it does not understand it',
  async (setting) => {
    const page = await setting.signedIn('/activities')
    await page.getByRole('heading', { name: 'Activities' }).waitFor()
    for (const body of [
      '',
      'null',
      '[]',
      '"text"',
      '{"activities":{}}',
      '{"activities":[null]}',
      '{"activities":[{"activityId":1}]}',
      '{"activities":[{"__proto__":{"activityId":"x"}}]}',
      `${'['.repeat(100_000)}`,
      '<html><script>alert(1)</script>',
    ]) {
      await page.route('**/public/v1/query/**', (route) => route.fulfill({ body }))
      await page.reload()
      // The session itself cannot be read either, which ends it, or the list says so.
      await page
        .getByText('does not understand')
        .or(page.getByRole('heading', { name: 'Sign in' }))
        .waitFor()
      await page.unrouteAll()
    }
  },
)

consoleTest('a host that does not know who signed in is asked for nothing more', async ({ signedIn }) => {
  const page = await signedIn('/activities')
  await page.route('**/query/whoami', (route) => route.fulfill({ body: '{"userId":{}}' }))
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

consoleTest('a hostile host does not blank a screen that is open', async ({ signedIn, root }) => {
  const page = await signedIn('/activities')
  await page.getByRole('link').first().waitFor()
  await page.route('**/query/list_activity_summaries', (route) =>
    route.fulfill({ json: { activities: [{ activityId: 'x', kind: {}, names: [], status: 's' }] } }),
  )
  await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'A change', userIds: [] }),
  )
  await page.getByText('activities[0].kind').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('A change').waitFor()
})
