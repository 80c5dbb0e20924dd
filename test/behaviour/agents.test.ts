import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentPolicies } from '../../src/host/cli/agent/agent-policies.ts'
import { notesOf } from '../../src/host/cli/agent/policy-notes.ts'
import { paymentChain } from '../../src/host/cli/agent/payment-chains.ts'
import { TEMPLATES, type WantedAgent } from '../../src/host/cli/agent/wanted-agent.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { aService, type Member, type TestService } from '../support/service.ts'
import { prepare } from './ground.ts'
import { outside } from './identities.ts'
import { newestOf } from './newest.ts'
import { aSubOrganization } from './things.ts'

const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'

/**
 * What an agent of a template may have done at all; with its own wallet and its own secrets, of which there are none
 * here.
 */
const ALLOWED: { readonly [template: string]: readonly string[] } = {
  provisioner: ['create_wallet', 'create_wallet_accounts'],
}

/** There is none of them to work with in a sub-organization. */
const OF_PARENTS = ['update_oauth2_credential', 'delete_oauth2_credential', 'oauth2_authenticate']

for (const activity of activities) {
  const { operation } = activity
  if (activity.vote !== undefined) continue

  test(`${operation} is denied to every agent that is not there for it, whatever other policies allow`, async (t) => {
    const service = await aService({ outside })
    t.after(service.close)
    const agents = await agentsIn(service)
    // Somebody careless allows everybody everything.
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Careless',
      effect: 'EFFECT_ALLOW',
      notes: '',
    })
    for (const where of OF_PARENTS.includes(operation) ? (['own'] as const) : (['own', 'sub'] as const)) {
      const by = where === 'own' ? service.root : await aSubOrganization(service)
      const ground = await prepare(service, by, activity)
      const { organizationId } = ground.by
      const { type } = newestOf(activity)
      for (const { template, member } of agents) {
        const text = JSON.stringify(ground.parameters)
        // What is about another user, and the same about the agent itself.
        for (const written of new Set([text, text.replaceAll(ground.by.userId, member.userId)])) {
          service.world.advance(1)
          const { status, json } = await service.submit(member, type, JSON.parse(written), { organizationId })
          const isAllowed = where === 'own' && ALLOWED[template]?.includes(operation) === true
          assert.equal(status === 200, isAllowed, `${template}, ${where}: ${json.message}`)
        }
      }
    }
  })
}

test('an agent neither approves nor rejects what another user has asked for', async (t) => {
  const service = await aService()
  t.after(service.close)
  const agents = await agentsIn(service)
  const bob = await service.user('Bob')
  const eve = await service.user('Eve')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Any two users do anything',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  service.world.advance(1)
  const { json } = await service.submit(bob, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Shared',
    accounts: [],
  })
  const { fingerprint } = json.activity
  for (const { template, member } of agents) {
    for (const type of ['ACTIVITY_TYPE_APPROVE_ACTIVITY', 'ACTIVITY_TYPE_REJECT_ACTIVITY']) {
      service.world.advance(1)
      const vote = await service.submit(member, type, { fingerprint })
      assert.equal(vote.status, 403, `${template}, ${type}`)
    }
  }
  service.world.advance(1)
  const vote = await service.submit(eve, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(vote.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

/** An agent of each template, in a service where nobody else is. */
async function agentsIn(
  service: TestService,
): Promise<readonly { readonly template: string; readonly member: Member }[]> {
  const agents = []
  for (const template of TEMPLATES) {
    const name = `an-${template}`
    const member = await service.user(`agent ${name}`)
    const limits = { chain: paymentChain('ethereum'), daily: 10n ** 18n, to: [], calls: true }
    const wanted: WantedAgent = { name, template, stoppers: [], ...(template === 'payer' ? { limits } : {}) }
    const ids = { userId: member.userId, walletId: NOWHERE, address: 'none' }
    const policies = agentPolicies(wanted, ids).map(({ sentence, ...terms }) => ({
      ...terms,
      notes: notesOf({ ...terms, sentence }),
    }))
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
    agents.push({ template, member })
  }
  return agents
}
