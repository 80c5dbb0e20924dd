import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace, Work } from '../../base/work.ts'
import type { Activity } from '../../catalogue/activity.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import type { Approval } from '../../policy/people.ts'
import { allow, deny, NOW, person, type Rule } from '../../policy/testing/members.ts'
import { authorize } from './authorize.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import type { Verdict } from './verdict.ts'

const people = Object.fromEntries(['R', 'S', 'M', 'N'].map((id) => [id, person(id, [])]))
const byN = "approvers.any(u, u.id == 'N')"
const byM = "approvers.any(u, u.id == 'M')"

type Given = {
  readonly authority?: object
  readonly resource?: string
  readonly rules?: readonly Rule[]
  readonly proposerId?: string
  /** How many things are asked for; one by default. */
  readonly things?: number
  readonly everyone?: readonly Approval[]
}

async function told(by: string, given: Given): Promise<string> {
  return (await decided(by, given)).said
}

/**
 * What comes of it when these have approved, the last of them now, and what it costs. R and S are the root quorum, both
 * of them.
 */
async function decided(by: string, given: Given) {
  const { authority = { kind: 'policies' }, resource = 'WALLET', rules = [], proposerId, things = 1 } = given
  const { everyone = Object.values(people) } = given
  const policies = rules.map((rule, at) => compilePolicy({ policyId: `P${at}`, ...rule }, {}))
  const users = Object.keys(people).map((userId) => ({ userId }))
  // Nothing else of an activity or a charter is looked at.
  const compiled = {
    charter: { organizationId: 'O', rootQuorum: { threshold: 2, userIds: ['R', 'S'] }, users },
    policies,
    opaquePolicies: [],
    everyone,
  } as never as CompiledCharter
  const approvals = by.split(' ').map((id) => people[id] ?? assert.fail(id))
  const voter = approvals.at(-1) ?? assert.fail()
  const subject = {
    activity: { authority, resource } as never as Activity,
    intent: {},
    facts: Array.from({ length: things }, () => ({})),
    compiled,
    proposerId: proposerId ?? by.split(' ')[0] ?? '',
    now: NOW,
  }
  const work = new Work(new Pace(async () => undefined), 'O')
  const approved = { approvals, voter, usage: { usageAt: () => undefined } }
  return { said: shown(await authorize(subject, approved, work)), spent: work.spent }
}

function shown(verdict: Verdict): string {
  if (verdict.kind === 'wait') return ['wait', ...verdict.voters].join(' ')
  return verdict.kind === 'deny' ? ['deny', ...verdict.deniedBy].join(' ') : 'allow'
}

const rootAlone = { kind: 'rootQuorum' }
const ofM = { kind: 'ownCredentials', owner: () => 'M' }
const self = (id: string): object => ({ kind: 'onlySelf', self: () => id })

/** Who has approved, what is asked, and what comes of it. */
const rows: readonly (readonly [string, string, Given, string])[] = [
  ['the root quorum may do anything', 'R S', {}, 'allow'],
  ['the root quorum may do what policies deny', 'R S', { rules: [deny()] }, 'allow'],
  ['a part of the root quorum waits for the rest', 'R', {}, 'wait S'],
  ['a part of the root quorum is denied by policies', 'R', { rules: [deny()] }, 'deny P0'],
  ['a part of the root quorum may do what policies allow', 'R', { rules: [allow()] }, 'allow'],
  ['nobody else may do anything', 'M', {}, 'deny'],
  ['a member may do what policies allow', 'M', { rules: [allow()] }, 'allow'],
  ['a policy that denies is stronger', 'M', { rules: [allow(), deny()] }, 'deny P1'],
  [
    'a member waits for those whom a policy asks',
    'M',
    { rules: [allow('true', `${byM} && ${byN}`)] },
    'wait N R S',
  ],
  ['a member of whom no policy asks is denied', 'M', { rules: [allow('true', byN)] }, 'deny'],
  ['who has approved is not asked again', 'R M', { rules: [allow('true', `${byM} && ${byN}`)] }, 'wait N S'],
  ['a vote without a say settles nothing, beside a quorum', 'R S M', {}, 'deny'],
  ['a vote with a say settles it, beside a quorum', 'R S M', { rules: [allow('true', byM)] }, 'allow'],
  [
    'a vote without a say settles nothing, where others suffice',
    'N M',
    { rules: [allow('true', byN)] },
    'deny',
  ],
  ['a vote with a say settles it, where others suffice', 'M N', { rules: [allow('true', byN)] }, 'allow'],
  ['a root user has a say in everything', 'N R', { rules: [allow('true', byN)] }, 'allow'],

  ['what the root quorum alone may do waits for the rest of it', 'R', { authority: rootAlone }, 'wait S'],
  [
    'what the root quorum alone may do is denied to everybody else',
    'M',
    { authority: rootAlone, rules: [allow()] },
    'deny',
  ],
  ['nor is it settled by a vote of another', 'R S M', { authority: rootAlone, rules: [allow()] }, 'deny'],
  ['the root quorum settles what is its alone', 'R S', { authority: rootAlone }, 'allow'],

  [
    'what only oneself may do, oneself may where policies allow',
    'M',
    { authority: self('M'), rules: [allow()] },
    'allow',
  ],
  [
    'what only oneself may do is not done for another',
    'M',
    { authority: self('N'), rules: [allow()] },
    'deny',
  ],
  ['not even by the root quorum', 'R S', { authority: self('N') }, 'deny'],

  ['users may do with their own credentials what no policy decides', 'M', { authority: ofM }, 'allow'],
  ['not with those of others', 'N', { authority: ofM }, 'deny'],
  ['another vote does not make them its own', 'M N', { authority: ofM }, 'deny'],
  [
    'where the owner is not named it is the proposer',
    'N',
    { authority: { ...ofM, owner: () => undefined } },
    'allow',
  ],
  [
    'a user settles what is their own, where others suffice',
    'N M',
    { authority: ofM, proposerId: 'M', rules: [allow('true', byN)] },
    'allow',
  ],
  ['a policy may deny it', 'M', { authority: ofM, rules: [deny()] }, 'deny P0'],
  [
    'users wait with their own credentials for others whom a policy asks',
    'M',
    { authority: ofM, resource: 'CREDENTIAL', rules: [allow('true', byN)] },
    'wait N R S',
  ],
  [
    'with other things of their own they wait for nobody',
    'M',
    { authority: ofM, resource: 'SESSION', rules: [allow('true', byN)] },
    'allow',
  ],
]

for (const [what, by, given, expected] of rows)
  test(`${what}: with approvals of ${by} it comes to ${expected}`, async () => {
    assert.equal(await told(by, given), expected)
  })

test('what only oneself may do is not done for somebody who is not there', async () => {
  await assert.rejects(told('M', { authority: self('Z') }), { name: 'Failure' })
})

test('a request that does a hundred things looks at the people as often as one that does one thing', async () => {
  let looks = 0
  const watched = (approval: Approval): Approval => ({
    user: approval.user,
    get credentials() {
      looks += 1
      return approval.credentials
    },
  })
  const looksFor = async (things: number, rules: readonly Rule[], ids: string): Promise<number> => {
    looks = 0
    await told(ids, { rules, things, everyone: Object.values(people).map(watched) })
    return looks
  }
  for (const consensus of ['approvers.count() == 3', `${byM} && approvers.count() == 9`, byM, byN])
    for (const ids of ['M', 'N M', 'R M', 'R S M']) {
      const rules = [allow('true', consensus), allow('true', consensus)]
      assert.equal(
        await looksFor(100, rules, ids),
        await looksFor(1, rules.slice(1), ids),
        `${consensus} ${ids}`,
      )
    }
})

test('policies decide what somebody asks for once, also where it is several things that wait', async () => {
  const rules = [allow('true && '.repeat(1_000) + 'true', `${byM} && ${byN}`)]
  const [one, two] = [await decided('M', { rules }), await decided('M', { rules, things: 2 })]
  assert.deepEqual([one.said, two.said], ['wait N R S', 'wait N R S'])
  assert.ok(two.spent < 2 * one.spent, `${two.spent} units for two things, and ${one.spent} for one`)
})
