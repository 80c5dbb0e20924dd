import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { isUuid } from '../../src/trusted/base/ids.ts'
import { prepare } from '../behaviour/ground.ts'
import { newestOf } from '../behaviour/newest.ts'
import { outside } from '../behaviour/identities.ts'
import { aSubOrganization } from '../behaviour/things.ts'
import { documentedPolicies, ownPolicy } from '../support/documented-policies.ts'
import { aService, type Member, type TestService } from '../support/service.ts'

/**
 * What each documented policy lets a member without other rights have done alone, in the organization of the policy and
 * in its sub-organizations. Everything else it must not allow, and a new policy in the documentation has to be entered
 * here.
 */
const ALLOWED: Readonly<
  Record<string, { readonly own: readonly string[]; readonly sub: readonly string[] }>
> = {
  'docs/decisions/auth-proxy.md': {
    own: ['init_otp', 'verify_otp', 'oauth2_authenticate', 'create_sub_organization'],
    sub: ['otp_login', 'oauth_login'],
  },
  'docs/policy-language.md': { own: [], sub: [] },
  'examples/policies/policies.json': { own: [], sub: [] },
}

const policies = documentedPolicies()

test('every policy of the documentation is tried here', () => {
  assert.deepEqual([...new Set(policies.map(({ page }) => page))], Object.keys(ALLOWED))
})

test('the documentation names users, tags, keys and wallets by ids, since another text is never equal to one', () => {
  for (const { page, condition, consensus } of policies) {
    const named = `${condition} ${consensus}`.matchAll(/(?:tags\.contains\(|\.id == )'([^']*)'/g)
    for (const [text, id = ''] of named) assert.ok(isUuid(id) || id === '…', `${page}: ${text}`)
  }
})

/** There is none of them to work with in a sub-organization. */
const OF_PARENTS = ['update_oauth2_credential', 'delete_oauth2_credential', 'oauth2_authenticate']

/** Their own credentials are everybody's own matter, and reading is no matter of policies. */
const OF_ONESELF = ['stamp_login', 'create_read_only_session']

for (const activity of activities) {
  const { operation } = activity
  if (activity.vote !== undefined || OF_ONESELF.includes(operation)) continue

  test(`${operation} is had by a documented policy only where that says so`, async (t) => {
    const service = await aService({ outside })
    t.after(service.close)
    const members = await membersWith(service)
    for (const where of OF_PARENTS.includes(operation) ? (['own'] as const) : (['own', 'sub'] as const)) {
      const by = where === 'own' ? service.root : await aSubOrganization(service)
      const ground = await prepare(service, by, activity)
      const place = ground.by.organizationId === service.organizationId ? 'own' : 'sub'
      for (const { page, member } of members) {
        service.world.advance(1)
        const { organizationId } = ground.by
        const { type } = newestOf(activity)
        const { json } = await service.submit(member, type, ground.parameters, { organizationId })
        const isDone = json.activity?.status === 'ACTIVITY_STATUS_COMPLETED'
        assert.equal(isDone, ALLOWED[page]?.[place].includes(operation), `${page}, ${place}: ${json.message}`)
      }
    }
  })
}

/** For each documented policy a user of whom it speaks. */
async function membersWith(service: TestService): Promise<readonly { page: string; member: Member }[]> {
  const members = []
  for (const policy of policies) {
    const member = await service.user(`Member ${members.length}`)
    const tag = /tags\.contains\('([^']+)'\)/.exec(policy.consensus)?.[1]
    const { consensus, ...rest } = ownPolicy(policy, member)
    const own =
      tag === undefined ? consensus : consensus.replaceAll(`'${tag}'`, `'${await aTagOf(service, member)}'`)
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { ...rest, consensus: own })
    members.push({ page: policy.page, member })
  }
  return members
}

async function aTagOf(service: TestService, { userId }: Member): Promise<string> {
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: `Tag of ${userId}`,
    userIds: [userId],
  })
  return userTagId
}
