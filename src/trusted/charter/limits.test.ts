import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { type Charter, nothingYet } from './charter.ts'
import { withIpAllowlist } from './ip-allowlist.ts'
import { limits } from './limits.ts'
import { withMfaPolicy } from './mfa-policies.ts'
import { withPolicy } from './policies.ts'
import { withSessionProfile } from './session-profiles.ts'
import { withTag } from './tags.ts'
import { withVelocityControl } from './velocity-controls.ts'
import { withWebhookEndpoint } from './webhooks.ts'

const [ada] = filledCharter.users
const [apiKey] = ada.apiKeys
const [tag] = filledCharter.tags
const [policy] = filledCharter.policies
const [profile] = filledCharter.sessionProfiles
const [endpoint] = filledCharter.webhookEndpoints
const [list] = filledCharter.ipAllowlists
const [control] = filledCharter.velocityControls
const [mfaPolicy] = ada.mfaPolicies

/** With more API keys than there may be lists of them. */
const empty: Charter = {
  ...filledCharter,
  ...nothingYet,
  parentId: null,
  users: [
    {
      ...ada,
      mfaPolicies: [],
      apiKeys: Array.from({ length: 200 }, (_, n) => ({ ...apiKey, publicKey: `key ${n}` })),
    },
  ],
}

const named = (n: number) => ({ tagId: `${n}`, tagName: `Tag ${n}` })

/** An edit that adds the item of this number, or puts it in the place of the one that is there. */
type Edit = (charter: Charter, n: number) => Charter

const replacing: Readonly<Record<string, readonly [max: number, from: Charter, edit: Edit]>> = {
  tags: [limits.tags, empty, (charter, n) => withTag(charter, { ...tag, ...named(n) })],
  'tags of a sub-organization': [
    limits.tagsOfSubOrganization,
    { ...empty, parentId: filledCharter.parentId },
    (charter, n) => withTag(charter, { ...tag, ...named(n) }),
  ],
  policies: [
    limits.policies,
    empty,
    (charter, n) =>
      withPolicy(charter, { ...policy, policyId: `${n}`, policyName: `Policy ${n}` }, undefined),
  ],
  'webhook endpoints': [
    limits.webhookEndpoints,
    empty,
    (charter, n) => withWebhookEndpoint(charter, { ...endpoint, endpointId: `${n}`, name: `Endpoint ${n}` }),
  ],
  'IP allowlists': [
    limits.ipAllowlists,
    empty,
    (charter, n) => withIpAllowlist(charter, { ...list, publicKey: `key ${n}` }),
  ],
  'MFA policies': [
    limits.mfaPoliciesPerUser,
    empty,
    ({ users, ...rest }, n) => ({
      ...rest,
      users: users.map((user) => withMfaPolicy(user, { ...mfaPolicy, mfaPolicyId: `${n}`, order: n })),
    }),
  ],
}

const adding: typeof replacing = {
  'session profiles': [
    limits.sessionProfiles,
    empty,
    (charter, n) => withSessionProfile(charter, { ...profile, sessionProfileName: `Profile ${n}` }),
  ],
  'velocity controls': [
    limits.velocityControls,
    empty,
    (charter, n) => withVelocityControl(charter, { ...control, identifier: `control${n}` }),
  ],
}

function filledUp(max: number, from: Charter, edit: Edit): Charter {
  return Array.from({ length: max }, (_, n) => n).reduce(edit, from)
}

test('of each kind there may be as many as its limit says, and one more is refused', () => {
  for (const [what, [max, from, edit]] of Object.entries({ ...replacing, ...adding })) {
    const full = filledUp(max, from, edit)
    const message = new RegExp(`has exceeded maximum ${what.split(' of ')[0]}: there may be ${max}$`)
    assert.throws(() => edit(full, max), { message }, what)
  }
})

test('where there are as many as there may be, what is there can still be changed', () => {
  for (const [max, from, edit] of Object.values(replacing)) {
    const full = filledUp(max, from, edit)
    assert.deepEqual(edit(full, max - 1), full)
  }
})
