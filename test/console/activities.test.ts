import assert from 'node:assert/strict'
import { consoleTests, signOut } from './console-setting.ts'

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
    await page.getByText('allows it', { exact: true }).waitFor()
    await page.getByText('Every value').click()
    await page.getByText("activity.kind == 'CREATE_USER_TAG'", { exact: true }).waitFor()
    await page.getByText('As a request for a terminal').click()
    assert.match(
      (await page.locator('details pre').textContent()) ?? '',
      /^curl 'http:\/\/localhost:\d+\/public\/v1\/submit\/create_user_tag' [^]*--data-binary '\{"type":/,
    )
    await look(page, 'activity')
  },
)

consoleTest(
  'a rejected activity says who rejected it, and each policy its reason in words before its values',
  async ({ root, user, signedIn, look }) => {
    const [cara, dan] = [await user(root, 'Cara'), await user(root, 'Dan')]
    const tags = "activity.kind == 'CREATE_USER_TAG'"
    const policies = [
      {
        policyName: 'Cara makes tags with another',
        condition: tags,
        consensus: `approvers.any(u, u.id == '${cara.userId}') && approvers.count() >= 2`,
      },
      { policyName: 'Dan makes tags', condition: `${tags} && usage.user == '${dan.userId}'` },
      { policyName: 'Anybody pays', condition: 'eth.tx.value <= 5' },
    ].map((policy) => ({ ...policy, effect: 'EFFECT_ALLOW' as const, notes: '' }))
    await root.client.createPolicies(root.activity('ACTIVITY_TYPE_CREATE_POLICIES', { policies }))
    const { activity } = await cara.client.createUserTag(
      cara.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Not wanted', userIds: [] }),
    )
    await root.client.rejectActivity(
      root.activity('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint: activity.fingerprint }),
    )
    const page = await signedIn(`/activities/${activity.id}`)
    await page.getByRole('button', { name: 'Explain' }).click()
    const rejected = page.locator('main p.note', { hasText: 'It was rejected by' })
    await rejected.waitFor()
    assert.match(await rejected.innerText(), /rejected by .*Root/)
    const card = (name: string) => page.locator('.cards > li', { hasText: name })
    const told = async (name: string) => (await card(name).innerText()).replaceAll(/[\u2068\u2069]/g, '')
    assert.match(await told('Cara makes tags with another'), /would allow it with more approvals/)
    assert.match(
      await told('Dan makes tags'),
      new RegExp(
        `says nothing for it.*${dan.userId} \\(Dan\\)'.* On the left is '${cara.userId} \\(Cara\\)'`,
        's',
      ),
    )
    assert.match(await told('Anybody pays'), /does not apply.*does not have, or cannot be read: /s)
    assert.doesNotMatch(await page.locator('main').innerText(), /OUTCOME_/)
    await look(page, 'activity-rejected')
    await page.getByRole('link', { name: 'Dan makes tags' }).click()
    await page.getByRole('heading', { name: 'A policy' }).waitFor()
  },
)

consoleTest(
  'the list is narrowed to days, and is as narrow as it was when one comes back',
  async ({ root, signedIn }) => {
    await root.client.createUserTag(
      root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Of today', userIds: [] }),
    )
    const page = await signedIn('/activities')
    await page.getByText('Of today').waitFor()
    await page.getByLabel('Asked for from').fill('2999-01-01')
    await page.getByText('There are no such activities.').waitFor()
    await page.getByLabel('Asked for from').fill('')
    await page.getByLabel('Until the end of').fill('2001-01-01')
    await page.getByText('There are no such activities.').waitFor()
    const today = await page.evaluate("new Date().toLocaleDateString('sv')")
    await page.getByLabel('Asked for from').fill(String(today))
    await page.getByLabel('Until the end of').fill(String(today))
    await page.getByLabel('Status').selectOption('completed')
    await page.getByLabel('Name in it').fill('of today')
    // At once, before anything was looked for.
    await page.evaluate("location.hash = '/settings'")
    await page.evaluate("location.hash = '/activities'")
    await page.getByRole('link', { name: 'CREATE_POLIC' }).first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'CREATE_USER_TAG' }).first().click()
    await page.getByRole('link', { name: 'All activities' }).click()
    await page.getByText('Of today').waitFor()
    assert.equal(await page.getByLabel('Status').inputValue(), 'completed')
    assert.equal(await page.getByLabel('Name in it').inputValue(), 'of today')
    assert.equal(await page.getByLabel('Asked for from').inputValue(), today)
    await signOut(page)
    assert.equal(await page.evaluate("sessionStorage.getItem('claviger.activities')"), null)
  },
)

consoleTest(
  'a narrow menu shows where one is in it, and no item of it moves another',
  async ({ signedIn }) => {
    const page = await signedIn('/settings')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate("location.hash = '/activities'")
    await page.locator('nav [aria-current]', { hasText: 'Activities' }).waitFor()
    await page.evaluate("location.hash = '/settings'")
    const current = page.locator('nav [aria-current]', { hasText: 'Settings' })
    await current.waitFor()
    const { x = -1, width = 0 } = (await current.boundingBox()) ?? {}
    assert.ok(x >= 0 && x + width <= 320, `${x} and ${width} wide`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const heights = () =>
      page.locator('nav li').evaluateAll((items) => items.map((one) => one.clientHeight).join())
    const before = await heights()
    for (const path of ['wallets', 'import-export', 'sub-organizations']) {
      await page.evaluate(`location.hash = '/${path}'`)
      await page.locator(`nav [aria-current][href="#/${path}"]`).waitFor()
      assert.equal(await heights(), before, path)
    }
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
      await page.unrouteAll({ behavior: 'ignoreErrors' })
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
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('A change').waitFor()
})
