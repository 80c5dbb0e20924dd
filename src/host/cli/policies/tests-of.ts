import { activities } from '../../../trusted/activities/list.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import type { Opened } from '../../../trusted/catalogue/objects.ts'
import { invalidField } from '../../../trusted/catalogue/shape.ts'
import { policyVocabulary } from '../../../trusted/catalogue/vocabulary.ts'
import { type Charter, nothingYet } from '../../../trusted/charter/charter.ts'
import type { LintedPolicy } from '../../../trusted/policy/lint/finding.ts'
import { meterKey } from '../../../trusted/policy/meter.ts'
import type { Usage } from '../../../trusted/policy/run.ts'
import { parse } from '../../../trusted/policy/parse.ts'
import type { Approval } from '../../../trusted/policy/people.ts'
import type { PolicyTest } from '../../../trusted/policy/policy-tests.ts'
import { timestampOf } from '../../../trusted/policy/timestamp.ts'
import type { Facts, Vocabulary } from '../../../trusted/policy/types.ts'
import {
  policiesFor,
  type CompiledCharter,
  compileAtOnce,
} from '../../../trusted/vault/charters/compiled-charter.ts'
import { factsOfRequest } from './facts-of-request.ts'
import { factsIn } from './json-facts.ts'
import { objectsOf, type OutlinedOrganization, tagIds } from './outlined-organization.ts'
import type { TestCase, TestFile } from './test-file.ts'

/** The tests in a file, ready to run. */
export function testsOf(
  file: TestFile,
  policies: readonly LintedPolicy[],
  now: number,
): readonly PolicyTest[] {
  const { organization, cases } = file
  const vocabulary = policyVocabulary(activities)
  const given: Given = {
    organization,
    policies,
    vocabulary,
    compiled: compileAtOnce(charterOf(organization, policies), vocabulary),
    objects: objectsOf(organization, 'organization'),
    everyone: organization.users.map((user) => approvalOf(organization, user)),
    now,
  }
  return cases.map((item, at) => testOf(item, `cases[${at}]`, given))
}

type Given = {
  readonly organization: OutlinedOrganization
  readonly policies: readonly LintedPolicy[]
  readonly vocabulary: Vocabulary
  readonly compiled: CompiledCharter
  readonly objects: readonly Opened<unknown>[]
  readonly everyone: readonly Approval[]
  readonly now: number
}

/** The users are kept separately: an abstract value contains less about them than a charter. */
function charterOf({ features = [] }: OutlinedOrganization, policies: readonly LintedPolicy[]): Charter {
  const stamps = { createdAt: 0, updatedAt: 0 }
  return {
    ...nothingYet,
    ...stamps,
    organizationId: '',
    organizationName: '',
    parentId: null,
    version: 1,
    deleted: false,
    rootQuorum: { threshold: 1, userIds: [] },
    users: [],
    features: features.map((name) => ({ name })),
    policies: policies.map(({ policyId, policyName = policyId, effect, condition, consensus, time }) => ({
      policyId,
      policyName,
      effect,
      ...(condition === undefined ? {} : { condition }),
      ...(consensus === undefined ? {} : { consensus }),
      ...(time === undefined ? {} : { time }),
      notes: '',
      ...stamps,
    })),
  }
}

function approvalOf(
  organization: OutlinedOrganization,
  user: OutlinedOrganization['users'][number],
): Approval {
  const { userId, userName = userId, userEmail = '', userTags, credentials = [] } = user
  return {
    user: { id: userId, tags: tagIds(organization, userTags), email: userEmail, alias: userName },
    credentials: credentials.map(({ credentialId, type, publicKey = '' }, at) => ({
      id: credentialId ?? `${userId} ${at}`,
      userId,
      type,
      credentialId: type === PASSKEY ? (credentialId ?? '') : '',
      publicKey,
    })),
  }
}

const PASSKEY = 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'

function testOf(item: TestCase, at: string, given: Given): PolicyTest {
  const { name, by, approvals: others = [], expect, outcomes = {} } = item
  const { compiled, everyone } = given
  const submitter = approvalBy(by, `${at}.by`, everyone)
  const approvals = [
    submitter,
    ...others.map((other, index) => approvalBy(other, `${at}.approvals[${index}]`, everyone)),
  ]
  const now = item.now === undefined ? given.now : Number(timestampOf(item.now) ?? given.now)
  const usage = usageOf(item, at)
  const questions = factsOf(item, at, submitter, given).map((facts) => ({
    policies: policiesFor(compiled, facts),
    facts,
    approvals,
    // The decision is about the last voter's vote.
    voter: approvals.at(-1) ?? submitter,
    everyone,
    now,
    usage,
  }))
  const named = Object.entries(outcomes).map(([policy, outcome]) => [
    idOf(policy, `${at}.outcomes`, given),
    outcome,
  ])
  return { name, questions, expect, outcomes: Object.fromEntries(named) }
}

/** A user approves with their first credential by default. */
function approvalBy(
  { user: called, credential }: TestCase['by'],
  at: string,
  everyone: readonly Approval[],
): Approval {
  const found =
    everyone.find(({ user }) => user.id === called) ?? everyone.find(({ user }) => user.alias === called)
  if (found === undefined)
    throw invalidField({ field: at, problem: `names nobody in the organization: ${called}` })
  const used =
    credential === undefined ? found.credentials[0] : found.credentials.find(({ id }) => id === credential)
  if (used === undefined && credential !== undefined)
    throw invalidField({ field: at, problem: `names no credential of ${called}: ${credential}` })
  return { user: found.user, credentials: used === undefined ? [] : [used] }
}

function factsOf(item: TestCase, at: string, { user }: Approval, given: Given): readonly Facts[] {
  const { request, facts } = item
  if ((request === undefined) === (facts === undefined))
    throw invalidField({ field: at, problem: 'must have a request or facts, and not both' })
  if (request !== undefined) {
    try {
      return factsOfRequest({ ...request, userId: user.id }, given.objects)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const problem = `is refused before any policy is asked: ${error.message}`
      throw invalidField({ field: `${at}.request`, problem })
    }
  }
  const each = Array.isArray(facts) ? facts : [facts ?? {}]
  if (each.length === 0) throw invalidField({ field: `${at}.facts`, problem: 'must not be empty' })
  return each.map((thing) => ({
    usage: { user: user.id },
    ...factsIn(thing, given.vocabulary, `${at}.facts`),
  }))
}

/** There was no earlier use, except those in the case. */
function usageOf({ usage = [] }: TestCase, at: string): Usage {
  const meters = usage.map(({ of, by, amount }, index) => {
    const tree = parse(of)
    if (tree.kind !== 'usage') {
      const problem = "must be as a condition has it, such as usage.count('1h', usage.user)"
      throw invalidField({ field: `${at}.usage[${index}].of`, problem })
    }
    return { meter: meterKey(tree), by, amount: BigInt(amount) }
  })
  return (key) => {
    // A key is the list of a meter and its grouping.
    const [meter, ...texts] = JSON.parse(key) as readonly string[]
    const found = meters.find(
      (item) =>
        item.meter === meter && (item.by === undefined || JSON.stringify(item.by) === JSON.stringify(texts)),
    )
    return found?.amount ?? 0n
  }
}

function idOf(policy: string, at: string, { policies }: Given): string {
  const found =
    policies.find(({ policyId }) => policyId === policy) ??
    policies.find(({ policyName }) => policyName === policy)
  if (found === undefined) throw invalidField({ field: at, problem: `names no policy: ${policy}` })
  return found.policyId
}
