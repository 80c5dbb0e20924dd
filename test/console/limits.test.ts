import assert from 'node:assert/strict'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('a limit is shown as a bar, with what is left and when room returns', async (setting) => {
  const { root, user, signedIn, look } = setting
  const page = await signedIn('/limits')
  await page.getByText('No policy has a limit on usage.').waitFor()
  const ada = await user(root, 'Ada')
  const limited = root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Three tags a day',
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.kind == 'CREATE_USER_TAG' && usage.count('24h', usage.user) <= 3",
    notes: '',
  })
  await root.client.createPolicy(limited)
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('Nothing has been counted yet.').waitFor()
  for (const userTagName of ['One', 'Two'])
    await ada.client.createUserTag(
      ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
    )
  await page.getByRole('button', { name: 'Look again' }).click()
  const bar = page.locator('li.bar', { hasText: 'Ada' })
  await bar.waitFor()
  const shown = (await bar.innerText()).replace(/[\u2068\u2069]/g, '')
  assert.match(shown, /2 of 3/)
  assert.match(shown, /1 is left\. 2 returns on /)
  assert.equal(await page.getByRole('meter', { name: 'Ada' }).getAttribute('value'), '0.6666')
  await look(page, 'limits')
  await page.getByRole('link', { name: 'Three tags a day' }).click()
  await page.getByRole('heading', { name: 'A policy' }).waitFor()
})

consoleTest(
  'sub-organizations are found as one types, and paged both ways',
  async ({ root, signedIn, look }) => {
    for (let n = 0; n < 52; n++)
      await root.client.createSubOrganization(
        root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
          subOrganizationName: `Customer ${String(n).padStart(2, '0')}`,
          rootQuorumThreshold: 1,
          rootUsers: [
            {
              userName: 'Ada',
              userEmail: `ada-${n}@example.com`,
              apiKeys: [],
              authenticators: [],
              oauthProviders: [],
            },
          ],
        }),
      )
    const page = await signedIn('/sub-organizations')
    await page.getByText('Customer 51').waitFor()
    assert.equal(await page.getByText('Customer 01').count(), 0)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Customer 01').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText('Customer 51').waitFor()
    await page.getByLabel('Begins with').fill('customer 1')
    await page.getByText('Customer 20').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.cards > li').count(), 10)
    await page.getByLabel('Search by').selectOption('EMAIL')
    await page.getByText('There are no such').waitFor()
    await page.getByLabel('Begins with').fill('ADA-7@')
    await page.getByText('Customer 07').waitFor()
    await look(page, 'sub-organizations')
  },
)
