import assert from 'node:assert/strict'
import { generateP256KeyPair } from '@turnkey/crypto'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

/** Markup, a turn of direction, and a formula. */
const LYING_NAME = '=1+1<b>\u202eadmin</b>'

consoleTest('a tag is made, given, renamed, taken and deleted, each as one activity', async (setting) => {
  const { root, user, signedIn, look } = setting
  const ada = await user(root, 'Ada')
  await user(root, LYING_NAME)
  const page = await signedIn('/tags')
  const ofUsers = page.locator('section', { hasText: 'Tags of users' })
  await ofUsers.getByLabel('Name of a new tag of users').fill('Signers')
  await ofUsers.getByRole('button', { name: 'Add' }).click()
  await look(page, 'tags')
  await page.getByRole('link', { name: 'Signers' }).click()
  await page.getByText('No policy names this tag.').waitFor()
  await page.getByLabel('Ada').check()
  await page.getByLabel('=1+1<b>⟨U+202E⟩admin</b>').check()
  await page.getByLabel('Name', { exact: true }).fill('Treasurers')
  await page.getByText('Saving gives the tag to 2 and takes it from 0.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Treasurers' }).waitFor()
  const tagsNow = async () =>
    (await root.client.listUserTags({ organizationId: root.organizationId })).userTags
  const [tag] = await tagsNow()
  assert.equal(tag?.tagName, 'Treasurers')
  const usersNow = async () => (await root.client.getUsers({ organizationId: root.organizationId })).users
  assert.equal((await usersNow()).filter(({ userTags }) => userTags.includes(tag.tagId)).length, 2)

  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Treasurers export nothing',
      effect: 'EFFECT_DENY' as const,
      condition: "activity.action == 'EXPORT'",
      consensus: `approvers.any(user, user.tags.contains('${tag.tagId}'))`,
      notes: '',
    }),
  )
  await page.reload()
  await page.getByRole('link', { name: 'Treasurers export nothing' }).waitFor()
  await page.getByLabel('=1+1').uncheck()
  await page.getByText('takes it from 1').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Carried out').waitFor()
  await look(page, 'tag')
  assert.deepEqual(
    (await usersNow()).filter(({ userTags }) => userTags.includes(tag.tagId)).map(({ userId }) => userId),
    [ada.userId],
  )
  await page.getByRole('button', { name: 'Delete this tag' }).click()
  await page.getByText('One of these policies denies.').waitFor()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByRole('heading', { name: 'There is no such tag' }).waitFor()
  assert.deepEqual(await tagsNow(), [])
})

consoleTest('a tag that is given keeps the name that somebody else has given it', async (setting) => {
  const { root, user, signedIn } = setting
  const { organizationId } = root
  await user(root, 'Bob')
  const { activity } = await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Guests', userIds: [] }),
  )
  const userTagId = activity.result.createUserTagResult?.userTagId ?? ''
  const page = await signedIn(`/tags/users/${userTagId}`)
  await page.getByLabel('Bob').check()
  await root.client.updateUserTag(
    root.activity('ACTIVITY_TYPE_UPDATE_USER_TAG', {
      userTagId,
      newUserTagName: 'Visitors',
      addUserIds: [],
      removeUserIds: [],
    }),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Carried out').waitFor()
  await page.getByRole('heading', { name: 'Visitors' }).waitFor()
  const { userTags } = await root.client.listUserTags({ organizationId })
  assert.deepEqual(
    userTags.map(({ tagName }) => tagName),
    ['Visitors'],
  )
  await root.client.deleteUserTags(
    root.activity('ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [userTagId] }),
  )
})

consoleTest('a tag of private keys is made and given', async ({ root, signedIn }) => {
  await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        { privateKeyName: 'Cold', curve: 'CURVE_ED25519' as const, privateKeyTags: [], addressFormats: [] },
      ],
    }),
  )
  const page = await signedIn('/tags')
  const ofKeys = page.locator('section', { hasText: 'Tags of private keys' })
  await ofKeys.getByLabel('Name of a new tag of private keys').fill('Vaulted')
  await ofKeys.getByRole('button', { name: 'Add' }).click()
  await ofKeys.getByRole('link', { name: 'Vaulted' }).click()
  await page.getByLabel('Cold').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Carried out').waitFor()
  const { privateKeys } = await root.client.getPrivateKeys({ organizationId: root.organizationId })
  assert.equal(privateKeys[0]?.privateKeyTags.length, 1)
})

consoleTest('a member without rights is told that the service refuses a tag', async (setting) => {
  const { root, user, signedIn } = setting
  const page = await signedIn('/tags', await user(root, 'Eve'))
  await page.getByLabel('Name of a new tag of users').fill('Mine')
  await page.locator('section', { hasText: 'Tags of users' }).getByRole('button', { name: 'Add' }).click()
  await page.getByText('The service refused this').waitFor()
})

consoleTest('a host that lists tags in a wrong shape has nothing of them shown', async ({ signedIn }) => {
  const page = await signedIn('/users')
  await page.route('**/query/list_user_tags', (route) =>
    route.fulfill({ json: { userTags: [{ tagId: {}, tagName: 'X' }] } }),
  )
  await page.getByRole('link', { name: 'Tags', exact: true }).click()
  await page.getByText('does not understand').waitFor()
  assert.equal(await page.getByText('X', { exact: true }).count(), 0)
})

consoleTest(
  'the page says which people could still reach a root quorum before it is sent',
  async (setting) => {
    const { signedIn, look } = setting
    const [ada, grace] = await setting.subOrganization('Bank', ['Ada', 'Grace'], 1)
    assert.ok(ada !== undefined && grace !== undefined)
    // Passing has a key that ends, and so no lasting way in.
    const { publicKey } = generateP256KeyPair()
    const passing = {
      userName: 'Passing',
      apiKeys: [
        { apiKeyName: 'a', publicKey, curveType: 'API_KEY_CURVE_P256' as const, expirationSeconds: '3600' },
      ],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }
    await ada.client.createUsers(ada.activity('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [passing] }))
    const page = await signedIn('/users/quorum', ada)
    await page.getByText('Now it takes 1 of 2.').waitFor()
    await page.getByText('Each of these members may then do everything alone.').waitFor()
    await page.getByLabel('How many of them it takes').fill('2')
    await page.getByText('None can be spared').waitFor()
    await page.getByLabel('How many of them it takes').fill('3')
    await page.getByText('The quorum would need more members than are ticked.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Change the root quorum' }).count(), 0)
    await page.getByLabel('Passing').check()
    await page.getByText('The root quorum would be lost for good.').waitFor()
    await page.getByText('Members without one, who could not vote: Passing').waitFor()
    await page.getByRole('button', { name: 'Change the root quorum' }).click()
    await look(page, 'quorum')
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('user missing valid credential').waitFor()

    await page.getByLabel('How many of them it takes').fill('2')
    await page.getByLabel('Passing').uncheck()
    await page.getByRole('button', { name: 'Change the root quorum' }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Carried out').waitFor()
    await page.getByText('Now it takes 2 of 2.').waitFor()
    // From now on one of them alone waits for the other.
    await page.getByLabel('Ada').uncheck()
    await page.getByLabel('How many of them it takes').fill('1')
    await page.getByText('You would no longer be of the root quorum.').waitFor()
    await page.getByRole('button', { name: 'Change the root quorum' }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Waits for approval').waitFor()
  },
)

consoleTest(
  'a root quorum that was changed meanwhile is shown as it is now, and not overwritten',
  async (setting) => {
    const { signedIn, look } = setting
    const [ada, grace, mallory] = await setting.subOrganization('Trust', ['Ada', 'Grace', 'Mallory'], 1)
    assert.ok(ada !== undefined && grace !== undefined && mallory !== undefined)
    const page = await signedIn('/users/quorum', ada)
    await page.getByText('Now it takes 1 of 3.').waitFor()
    const userIds = [ada.userId, grace.userId]
    await grace.client.updateRootQuorum(
      grace.activity('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds }),
    )
    await page.getByLabel('How many of them it takes').fill('2')
    await page.getByRole('button', { name: 'Change the root quorum' }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Somebody has changed the root quorum').waitFor()
    await page.getByText('Now it takes 1 of 2.').waitFor()
    assert.ok(!(await page.getByLabel('Mallory').isChecked()))
    await look(page, 'quorum-changed')
    const { organizationId } = ada
    const { configs } = await ada.client.getOrganizationConfigs({ organizationId })
    assert.deepEqual(configs.quorum?.userIds.toSorted(), userIds.toSorted())
  },
)
