import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

/** Names that say more than one, or that another object has too. */
const TWO = 'Ada, Root user'

consoleTest('the names of an activity stand for one user each', async ({ root, user, signedIn }) => {
  const liar = await user(root, TWO)
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'The liar makes tags',
      effect: 'EFFECT_ALLOW' as const,
      consensus: `approvers.any(user, user.id == '${liar.userId}')`,
      condition: "activity.kind == 'CREATE_USER_TAG'",
      notes: '',
    }),
  )
  const { activity } = await liar.client.createUserTag(
    liar.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'A, B', userIds: [liar.userId] }),
  )
  const page = await signedIn(`/activities/${activity.id}`)
  const end = endOf(liar.userId)
  assert.match(await textOf(page.locator('ul.cards > li').first()), new RegExp(`${TWO} \\(…${end}\\)`))
  await page.getByRole('button', { name: 'Explain' }).click()
  const approved = page.locator('main p.note', { hasText: 'Approved so far by' })
  assert.equal(await textOf(approved), `Approved so far by “${TWO}” (…${end}).`)
  const tagId = activity.result.createUserTagResult?.userTagId ?? ''
  await page.evaluate(`location.hash = '/users/${liar.userId}'`)
  await page.getByText(`A, B (…${endOf(tagId)})`).waitFor()
  await page.evaluate("location.hash = '/users/quorum'")
  await page
    .getByText(`(…${endOf(root.userId)})`)
    .nth(1)
    .waitFor()
})

consoleTest(
  'what is chosen by its name is told apart by the end of its id',
  async ({ root, user, signedIn }) => {
    const { userId } = await user(root, 'Ada')
    const { activity } = await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Vault',
            curve: 'CURVE_SECP256K1' as const,
            privateKeyTags: [],
            addressFormats: [],
          },
        ],
      }),
    )
    const { privateKeyId = '' } = activity.result.createPrivateKeysResultV2?.privateKeys[0] ?? {}
    const made = await root.client.createWallet(
      root.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Savings', accounts: [] }),
    )
    const walletId = made.activity.result.createWalletResult?.walletId ?? ''
    const page = await signedIn('/sign')
    const option = (text: string) => page.locator('option', { hasText: text }).waitFor({ state: 'attached' })
    await option(`Vault (…${endOf(privateKeyId)})`)
    await page.evaluate("location.hash = '/import-export'")
    await page.getByRole('button', { name: 'Believe the host this once' }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await option(`Vault (…${endOf(privateKeyId)})`)
    await option(`Savings (…${endOf(walletId)})`)
    await page.evaluate("location.hash = '/policies/new'")
    await page.getByText('Try it on a request').click()
    await option(`Ada (…${endOf(userId)})`)
    await page.evaluate("location.hash = '/audit'")
    const voters = page.getByLabel('User who has voted')
    await voters.locator('option', { hasText: `Ada (…${endOf(userId)})` }).waitFor({ state: 'attached' })
  },
)

consoleTest('users whose names look alike are told apart in every list', async ({ root, user, signedIn }) => {
  // The second one has a Cyrillic letter.
  const names = ['Twin', 'Tw\u0456n']
  const twins = await Promise.all(names.map((name) => user(root, name)))
  const { activity } = await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Twins make tags',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.kind == 'CREATE_USER_TAG' && usage.count('24h', usage.user) <= 5",
      notes: '',
    }),
  )
  const policyId = activity.result.createPolicyResult?.policyId ?? ''
  for (const [at, twin] of twins.entries())
    await twin.client.createUserTag(
      twin.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: `Of twin ${at}`, userIds: [] }),
    )
  const page = await signedIn('/users')
  const ends = twins.map(({ userId }, at) => `${names[at]} (…${endOf(userId)})`)
  for (const path of ['users', 'activities', 'audit']) {
    await page.evaluate(`location.hash = '/${path}'`)
    for (const end of ends) await page.locator('.cards').getByText(end).first().waitFor()
  }
  await page
    .getByText(`“Twins make tags” (…${endOf(policyId)})`)
    .first()
    .waitFor()
  await page.evaluate("location.hash = '/policies'")
  await page.getByText(`Twins make tags (…${endOf(policyId)})`).waitFor()
  await page.evaluate("location.hash = '/limits'")
  await page.getByRole('heading', { name: `Twins make tags (…${endOf(policyId)})` }).waitFor()
  for (const [at, { userId }] of twins.entries())
    await page.getByRole('meter', { name: `“${names[at]}” (…${endOf(userId)})` }).waitFor()
})

consoleTest('a list of approvals says which of two keys that look alike would sign', async (setting) => {
  const [ada, bea] = await setting.subOrganization('Twin keys', ['Ada', 'Bea'], 2)
  assert.ok(ada !== undefined && bea !== undefined)
  const completed = async (asked: Promise<{ readonly activity: { readonly fingerprint: string } }>) => {
    const { fingerprint } = (await asked).activity
    return await bea.client.approveActivity(bea.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
  }
  const key = {
    privateKeyName: 'Vault',
    curve: 'CURVE_SECP256K1' as const,
    privateKeyTags: [],
    addressFormats: [],
  }
  const ids: string[] = []
  for (const privateKeyName of ['Vault', 'V\u0430ult']) {
    const made = await completed(
      ada.client.createPrivateKeys(
        ada.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [{ ...key, privateKeyName }] }),
      ),
    )
    ids.push(made.activity.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId ?? '')
  }
  for (const signWith of ids)
    await ada.client.signRawPayload(
      ada.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        signWith,
        payload: 'Hello',
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
        hashFunction: 'HASH_FUNCTION_SHA256' as const,
      }),
    )
  const page = await setting.signedIn('/approvals', bea)
  for (const id of ids) {
    const line = page.locator('.cards > li', { hasText: id })
    await line.waitFor()
    assert.match(await textOf(line), new RegExp(`Signed with ${id} “V.ult”`))
  }
})

function endOf(id: string): string {
  return id.slice(-8)
}

async function textOf(place: Locator): Promise<string> {
  return (await place.innerText()).replaceAll(/[\u2068\u2069]/g, '')
}

consoleTest('a name of any length widens no page', async ({ root, user, signedIn }) => {
  // The key of a user is called a little longer here.
  const name = 'W'.repeat(240)
  const { userId } = await user(root, name)
  const { activity } = await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: name, userIds: [root.userId, userId] }),
  )
  const tagId = activity.result.createUserTagResult?.userTagId ?? ''
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: name,
      effect: 'EFFECT_ALLOW' as const,
      consensus: `approvers.any(user, user.tags.contains('${tagId}'))`,
      condition: "activity.kind == 'CREATE_WALLET'",
      notes: '',
    }),
  )
  await root.client.updateOrganizationName(
    root.activity('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: name }),
  )
  const page = await signedIn('/users')
  await page.setViewportSize({ width: 320, height: 640 })
  const shown: readonly (readonly [path: string, text: string])[] = [
    ['users', name],
    [`users/${userId}`, name],
    [`tags/users/${tagId}`, 'These policies name this tag'],
    ['activities', name],
    [`activities/${activity.id}`, name],
    ['policies', name],
    ['audit', name],
    ['settings', 'Allowed addresses'],
  ]
  for (const [path, text] of shown) {
    await page.evaluate(`location.hash = '/${path}'`)
    await page.locator('main :is(h1, h2, p, pre, bdi)', { hasText: text }).first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path)
  }
})
