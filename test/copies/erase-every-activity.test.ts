import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseUser } from '../../src/host/copies/erase-user.ts'
import { proveRootKey } from '../../src/host/rotation/root-proof.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Form } from '../../src/trusted/catalogue/form.ts'
import { readCharter } from '../../src/trusted/charter/charter-document.ts'
import { userView } from '../../src/trusted/charter/view.ts'
import { outside } from '../behaviour/identities.ts'
import { newestOf } from '../behaviour/newest.ts'
import { prepare } from '../behaviour/ground.ts'
import { everyRow, problemsIn } from '../support/erasing.ts'
import { sentMessages } from '../support/messages.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../support/service.ts'

const MINUTE_MS = 60_000

/** Their examples leave no root user who may do something alone. */
const NO_ONE_ROOT: readonly string[] = [
  'approve_activity',
  'reject_activity',
  'update_root_quorum',
  'delete_sub_organization',
]

/**
 * Its only root user has a passkey, and nobody has that here. See `src/trusted/vault/erasure/personal-parts.test.ts`.
 */
const OF_A_PASSKEY = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'

/**
 * Each activity in each of its forms, with the people that it is about, is carried out as its example; then everybody
 * is deleted and erased. What charters and requests called these people is looked for in the whole store, inside tokens
 * too.
 */
for (const activity of activities.filter(({ operation }) => !NO_ONE_ROOT.includes(operation)))
  for (const form of activity.forms.filter(({ type }) => type !== OF_A_PASSKEY))
    test(`${form.type}: nothing of the people in it is left when they are erased`, async (t) => {
      const store = openSqlite({ path: ':memory:' })
      const service = await aService({ store, outside })
      t.after(async () => {
        await service.close()
        await store.close()
      })
      await proveRootKey(store, service.vault, service.world)
      const people = await carriedOut(service, activity, form)
      assert.ok((await leftOf(service, people.words)).length > 0, 'they are called something')
      const heirs: Member[] = []
      const gone: { organizationId: string; userId: string }[] = []
      for (const root of people.roots) {
        const { heir, deleted } = await withAnotherRoot(service, root)
        heirs.push(heir)
        gone.push(...deleted)
      }
      await sentMessages(service)
      service.world.advance(66 * MINUTE_MS)
      await store.sweep({ now: service.world.now(), limit: 1_000 })

      for (const user of gone)
        await eraseUser({ store, vault: service.vault, now: service.world.now, paused: async () => {} }, user)

      assert.deepEqual(await leftOf(service, people.words), [])
      assert.deepEqual(await problemsIn(store, service.vault), [])
      for (const heir of heirs) await assertAnswered(service, heir)
    })

type People = {
  /** One root user of each organization there is. */
  readonly roots: readonly Member[]
  /** What the people of these organizations were called and could be reached by. */
  readonly words: ReadonlySet<string>
}

async function carriedOut(service: TestService, activity: Activity, form: Form): Promise<People> {
  const { root } = service
  const made = await prepare(service, root, activity)
  const parameters = form === newestOf(activity) ? made.parameters : present(made.older[form.type], form.type)
  const newRoot = service.newKey()
  // The key of the example is nobody's here.
  for (const { apiKeys } of parameters.rootUsers ?? []) apiKeys[0].publicKey = newRoot.publicKey
  await withTheInvited(service, parameters)
  const { status, text, json } = await service.submit(made.by, form.type, parameters)
  assert.equal(status, 200, text)
  const { subOrganizationId, rootUserIds = [] } = json.activity.result[form.resultKey] ?? {}
  const roots = [
    ...(made.by.organizationId === root.organizationId ? [] : [made.by]),
    ...(subOrganizationId === undefined
      ? []
      : [{ organizationId: subOrganizationId, userId: rootUserIds[0], key: newRoot }]),
    root,
  ]
  await withHandlesIn(service, json.activity.result[form.resultKey] ?? {}, parameters)
  const words = new Set(wordsIn(personalIn(activity, parameters)))
  for (const { organizationId } of roots) {
    const charter = readCharter(present(await service.store.charter(organizationId), 'a charter').body)
    for (const user of charter.users) for (const word of wordsIn(userView(user))) words.add(word)
    // Who made it has called it like its user; and an identity elsewhere is one at an application, which is nobody.
    for (const name of [
      charter.organizationName,
      ...charter.oauth2Credentials.map(({ clientId }) => clientId),
    ])
      words.delete(name)
  }
  return { roots, words }
}

/** Who is invited is a user, too. */
async function withTheInvited(
  { done, root, newKey }: TestService,
  { invitations = [] }: JsonAnswer,
): Promise<void> {
  for (const { receiverUserName: userName, receiverUserEmail: userEmail } of invitations) {
    const apiKeys = [{ apiKeyName: 'Key', publicKey: newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const users = [{ userName, userEmail, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
    await done(root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  }
}

/** A user who has logged in elsewhere, or with a wallet, may do so here. */
async function withHandlesIn(
  service: TestService,
  { oidcToken }: JsonAnswer,
  { message }: JsonAnswer,
): Promise<void> {
  const { root } = service
  const { userId } = root
  if (typeof oidcToken === 'string') {
    const oauthProviders = [{ providerName: 'Elsewhere', oidcToken }]
    await service.done(root, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', { userId, oauthProviders })
  }
  const address = typeof message === 'string' ? message.split('\n')[1] : undefined
  if (address === undefined) return
  const wallet = { type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM', address, domain: 'app.example.com' }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS', {
    userId,
    walletAuthenticators: [wallet],
  })
}

function personalIn({ personal }: Activity, parameters: JsonAnswer): JsonAnswer {
  if (personal === undefined) return []
  return 'entries' in personal ? parameters[personal.entries] : parameters
}

/** Every text that is no id, no word of a closed list, no number, no key, and nothing encrypted. */
function wordsIn(value: JsonAnswer): readonly string[] {
  if (typeof value === 'string') return NO_WORD.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : []
}

const NO_WORD =
  /^$|^public-key$|^[0-9a-f]{8}-[0-9a-f-]{27}$|^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^\d+$|^(?:0x)?[0-9a-f]{60,}$|^\{"encappedPublic"/

/** Where one of these texts stands as a whole, in a row or in the claims of a token in it. */
async function leftOf({ store }: TestService, words: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = []
  for (const row of await everyRow(store)) {
    const tokens = [...row.matchAll(/eyJ[\w-]*\.([\w-]+)\./g)].map(([, claims = '']) =>
      Buffer.from(claims, 'base64url').toString(),
    )
    const plain = [row, ...tokens].join('\n').replaceAll('\\', '').toLowerCase()
    for (const word of words) {
      const text = JSON.stringify(word).replaceAll('\\', '').toLowerCase()
      if (plain.includes(text)) found.push(`${word}: ${row}`)
    }
  }
  return found
}

/** Somebody else becomes the only root user, and deletes all others. */
async function withAnotherRoot(service: TestService, root: Member) {
  const { organizationId } = root
  const key = service.newKey()
  const apiKeys = [
    { apiKeyName: 'Key of the heir', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  const users = [{ userName: 'Heir', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { userIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  const heir = { organizationId, userId: String(userIds[0]), key }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [heir.userId] })
  const charter = readCharter(present(await service.store.charter(organizationId), 'a charter').body)
  for (const { invitationId } of charter.invitations)
    await service.done(heir, 'ACTIVITY_TYPE_DELETE_INVITATION', { invitationId })
  const others = charter.users.map(({ userId }) => userId).filter((userId) => userId !== heir.userId)
  await service.done(heir, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: others })
  return { heir, deleted: others.map((userId) => ({ organizationId, userId })) }
}

/** Every record as clients see it; the service of the tests holds each answer to what is documented of it. */
async function assertAnswered(service: TestService, heir: Member): Promise<void> {
  const listed = await service.query(heir, 'list_activities', { paginationOptions: { limit: '100' } })
  assert.equal(listed.status, 200, listed.text)
  for (const { id } of listed.json.activities) {
    const { status, text } = await service.query(heir, 'get_activity', { activityId: id })
    assert.equal(status, 200, text)
  }
}
