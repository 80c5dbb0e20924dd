import assert from 'node:assert/strict'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

/** Markup, and a turn of direction. */
const LYING_NAME = '<b>\u202eroot</b>'

consoleTest('somebody is invited by mail, and the invitation is cancelled', async (setting) => {
  const { root, signedIn, look, inbox } = setting
  await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Signers', userIds: [] }),
  )
  const page = await signedIn('/users')
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByText('Nobody is invited.').waitFor()
  await page.getByText('Invite somebody').click()
  await page.getByLabel('Name').fill(LYING_NAME)
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('What for').selectOption('for both')
  await page.getByLabel('Signers').check()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('Carried out').waitFor()
  await page.getByText('<b>⟨U+202E⟩root</b>').waitFor()
  await page.getByText(/invited by .*Root/).waitFor()
  await look(page, 'invitations')
  assert.match(await inbox.newest('grace@example.com'), /invited/)
  const invitationsNow = async () => {
    const { organizationId } = root
    return (await root.client.getOrganization({ organizationId })).organizationData.invitations ?? []
  }
  const [invitation] = await invitationsNow()
  assert.equal(invitation?.accessType, 'ACCESS_TYPE_ALL')
  assert.equal(invitation.receiverUserTags.length, 1)

  await page.getByRole('button', { name: 'Cancel the invitation' }).click()
  await page.getByText('The list forgets the invitation.').waitFor()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Nobody is invited.').waitFor()
  assert.deepEqual(await invitationsNow(), [])
})

consoleTest(
  'a user is asked for a further proof, and the page says who could not give it',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const ada = await user(root, 'Ada')
    const { userId, organizationId } = ada
    const page = await signedIn(`/users/${userId}`)
    await page.getByRole('link', { name: 'Further proofs' }).click()
    await page.getByText('No request of this user needs a further proof.').waitFor()
    await page.getByText('Ask for a further proof').click()
    await page.getByText('The user has nothing to pass step 2 with.').waitFor()
    await page.getByLabel('Name').fill(LYING_NAME)
    const second = page.getByRole('group', { name: 'Step 2: one of these' })
    await second.getByLabel('a passkey').uncheck()
    assert.ok(await page.getByRole('button', { name: 'Ask from now on' }).isDisabled())
    await second.getByLabel('a session').check()
    await second.getByLabel('a passkey').check()
    assert.equal(await page.getByText('The user has nothing to pass').count(), 0)
    await page.getByLabel('For which requests').fill('activity.nothing == 1')
    await page.getByRole('button', { name: 'Ask from now on' }).click()
    await page.getByText('The service refused this').waitFor()
    await page.getByLabel('For which requests').fill("activity.action == 'EXPORT'")
    await page.getByRole('button', { name: 'Ask from now on' }).click()
    await page.getByText('a passkey or a session', { exact: true }).waitFor()
    await look(page, 'further-proofs')
    const policiesNow = async () => (await root.client.getMfaPolicies({ organizationId, userId })).mfaPolicies
    const [policy] = await policiesNow()
    assert.equal(policy?.condition, "activity.action == 'EXPORT'")
    assert.deepEqual(policy.requiredAuthenticationMethods, [
      { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
      { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }, { type: 'AUTHENTICATION_TYPE_SESSION' }] },
    ])
    // The second one comes behind the first.
    await page.getByText('Ask for a further proof').click()
    await page.getByLabel('Name').fill('Signatures')
    await page.getByRole('button', { name: 'One step less' }).click()
    await page.getByRole('button', { name: 'Ask from now on' }).click()
    await page.getByText('Signatures').waitFor()
    // A thief of the key could otherwise export what signs, or add the passkey that the other step asks for.
    const offered = (await policiesNow()).find(({ mfaPolicyName }) => mfaPolicyName === 'Signatures')
    assert.equal(
      offered?.condition,
      "activity.action in ['SIGN', 'EXPORT'] || activity.resource in ['CREDENTIAL', 'RECOVERY']",
    )
    assert.deepEqual(
      (await policiesNow()).map(({ order }) => order),
      [0, 1],
    )
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Carried out').waitFor()
    await page.locator('main').getByText("activity.action == 'EXPORT'").waitFor({ state: 'detached' })
    assert.equal((await policiesNow()).length, 1)
  },
)

consoleTest(
  'the name and the contacts of a user are changed, and a contact that lets in is warned of',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const { userId, organizationId } = await user(root, 'Bob')
    const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' as const, value: '' }
    await root.client.setOrganizationFeature(root.activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature))
    const page = await signedIn(`/users/${userId}`)
    await page.getByText('Change name and contacts').click()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByLabel('Name', { exact: true }).fill('Robert')
    await page.getByLabel('E-mail address').fill('bob@example.com')
    await page.getByText('A login by code is on').waitFor()
    await look(page, 'user-edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Robert' }).waitFor()
    const now = async () => (await root.client.getUser({ organizationId, userId })).user
    assert.equal((await now()).userEmail, 'bob@example.com')
    await page.getByText('Change name and contacts').click()
    await page.getByLabel('E-mail address').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('bob@example.com').waitFor({ state: 'detached' })
    assert.deepEqual([(await now()).userName, (await now()).userEmail], ['Robert', undefined])
  },
)

consoleTest('a session profile is written in German by the keyboard alone', async (setting) => {
  const { root, signedIn, look } = setting
  const page = await signedIn('/settings')
  await page.getByLabel('Language').selectOption('Deutsch')
  const summary = page.getByText('Ein Sitzungsprofil hinzufügen')
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Nur Signaturen')
  await page.keyboard.press('Tab')
  await page.keyboard.type("activity.action == 'SIGN'")
  await page.keyboard.press('Tab')
  await page.keyboard.type('600')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Ein Profil lässt sich weder ändern noch löschen').waitFor()
  await look(page, 'session-profile')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('höchstens 600 Sekunden').waitFor()
  const { organizationId } = root
  const { sessionProfiles } = await root.client.getSessionProfiles({ organizationId })
  assert.deepEqual(
    sessionProfiles.map(({ sessionProfileName, scope, expirationSeconds }) => [
      sessionProfileName,
      scope,
      expirationSeconds,
    ]),
    [['Nur Signaturen', "activity.action == 'SIGN'", '600']],
  )
  await page.getByLabel('Sprache').selectOption('English')
  await page.getByRole('heading', { name: 'Session profiles' }).waitFor()
})

consoleTest(
  'a member without rights is told that the service refuses an invitation and a further proof',
  async (setting) => {
    const { root, user, signedIn } = setting
    const eve = await user(root, 'Eve')
    const page = await signedIn('/users/invitations', eve)
    await page.getByText('Invite somebody').click()
    await page.getByLabel('Name').fill('Mallory')
    await page.getByLabel('E-mail address').fill('mallory@example.com')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('The service refused this').waitFor()
    await page.evaluate(`location.hash = '#/users/${root.userId}/mfa'`)
    await page.getByText('Ask for a further proof').click()
    await page.getByLabel('Name').fill('Locked out')
    await page.getByRole('button', { name: 'Ask from now on' }).click()
    await page.getByText('The service refused this').waitFor()
  },
)

consoleTest(
  'a host that tells of proofs and invitations in a wrong shape has nothing of them shown',
  async (setting) => {
    const { root, signedIn } = setting
    const page = await signedIn('/users')
    await page.route('**/query/list_invitations', (route) =>
      route.fulfill({ json: { invitations: [{ invitationId: 'X', receiverUserName: {} }] } }),
    )
    await page.route('**/query/get_mfa_policies', (route) =>
      route.fulfill({
        json: { mfaPolicies: [{ mfaPolicyId: 'X', mfaPolicyName: 'Planted', condition: 1 }] },
      }),
    )
    for (const path of ['invitations', `${root.userId}/mfa`]) {
      await page.evaluate(`location.hash = '#/users/${path}'`)
      await page.getByText('does not understand').waitFor()
      assert.equal(await page.getByText('Planted').count(), 0)
    }
  },
)
