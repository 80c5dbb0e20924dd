import assert from 'node:assert/strict'
import { compare } from '../../policy/compare.ts'
import type { Finding, Part } from '../../policy/lint/finding.ts'
import { Problem } from '../../policy/problem.ts'
import type { Value } from '../../policy/types.ts'
import { children, type Tree } from '../../policy/tree.ts'
import { type Judged, valuesAt, withText } from './judged-request.ts'

/**
 * What the sentences of each finding say, held to one request: whether the request is one that the finding is about.
 * Findings that only say what may happen are not among them.
 *
 * @throws where the request contradicts the finding
 */
export const CLAIMS: { readonly [what in Finding['what']]?: Claim } = {
  unreadable: (finding, judged) => {
    if (judged.effect === 'EFFECT_ALLOW') assert.notEqual(judged.outcome, 'OUTCOME_ALLOW')
    else if (isHeard(finding.place?.part, judged) && judged.active === true)
      assert.equal(judged.outcome, 'OUTCOME_DENY_EXPLICIT')
    return true
  },

  allowsEverything: ({ why }, judged) => {
    const isMeant = judged.active === true || !why.startsWith('While it is active, ')
    if (isMeant) assert.equal(judged.outcome, 'OUTCOME_ALLOW')
    return isMeant
  },

  neverTrue: (finding, judged) => {
    assert.notEqual(judged.condition, true)
    for (const value of valuesAt(finding, judged)) assert.notEqual(value, true)
    deniesOnlyWhereItFails(judged)
    neverAllows(judged)
    return true
  },

  neverTogether: (finding, judged) => {
    const [, part = '', lacking = '', form] =
      /^Wherever `(.*?)` could be true, .* `(.*?)` has no value in (.*?)\. There the policy/.exec(
        finding.why,
      ) ?? []
    assert.ok(form, finding.why)
    if (judged.form === form)
      for (const value of withText(lacking, judged)) assert.ok(value instanceof Problem)
    if (!withText(part, judged).includes(true)) return false
    for (const value of valuesAt(finding, judged)) assert.ok(value instanceof Problem)
    deniesOnlyWhereItFails(judged)
    neverAllows(judged)
    return true
  },

  contradiction: (finding, judged) => {
    const values = valuesAt(finding, judged)
    for (const value of values) assert.notEqual(value, true)
    return values.length > 0
  },

  neverActive: (finding, judged) => {
    for (const value of valuesAt(finding, judged)) assert.equal(value, false)
    if (finding.why.includes('never does anything'))
      assert.ok(!/ALLOW|EXPLICIT|CONSENSUS/.test(judged.outcome), judged.outcome)
    return true
  },

  denySkipped: (finding, judged) => {
    const names = /\((.*?)\)/.exec(finding.why)?.[1]?.split('; ') ?? []
    if (!names.includes(judged.form)) return false
    deniesOnlyWhereItFails(judged)
    return true
  },

  denyMayBeSkipped: (finding, judged) => {
    if (!valuesAt(finding, judged).some((value) => value instanceof Problem && value.kind === 'missing'))
      return false
    deniesOnlyWhereItFails(judged)
    return true
  },

  activityType: (finding, judged) => {
    const instead = /use `(.*?)`, /.exec(finding.why)?.[1]
    assert.ok(instead !== undefined && finding.place !== undefined, finding.why)
    const { kind, types } = judged.activity
    const named = [...finding.place.text.matchAll(/'(ACTIVITY_TYPE_.*?)'/g)].map(([, type = '']) => type)
    const version = named.find((type) => types.includes(type))
    const values = judged.read(finding.place.text, version)
    assert.equal(judged.read(instead, version), values, `${instead} of ${kind}`)
    return version !== undefined
  },

  addressCase: (finding, judged) => neverEqual(finding, judged),

  textCase: (finding, judged) => neverEqual(finding, judged),

  duplicate: ({ others = [] }, judged) => {
    for (const other of others) assert.equal(judged.outcome, judged.outcomes.get(other))
    return true
  },

  ownCredentialsWait: ({ why }, judged) => {
    const { kind, isOwn, isOfCredential } = judged.activity
    if (!isOwn || judged.condition !== true || judged.active !== true || judged.consensus === true)
      return false
    assert.ok(why.includes(kind), kind)
    const isLeftOut = why.includes('At a login or a recovery, only users') && !isOfCredential
    if (!isLeftOut) assert.equal(judged.outcome, 'OUTCOME_REQUIRES_CONSENSUS')
    return true
  },
}

type Claim = (finding: Finding, judged: Judged) => boolean

function neverAllows({ outcome }: Judged): void {
  assert.ok(outcome !== 'OUTCOME_ALLOW' && outcome !== 'OUTCOME_REQUIRES_CONSENSUS', outcome)
}

function deniesOnlyWhereItFails({ outcome, condition }: Judged): void {
  const hasFailed = condition instanceof Problem && condition.kind === 'failed'
  if (outcome === 'OUTCOME_DENY_EXPLICIT') assert.ok(hasFailed, 'it denies and has not failed')
}

/** Whether a DENY policy comes to the part that cannot be read: each part is asked where those before it are true. */
function isHeard(part: Part | undefined, { condition, consensus }: Judged): boolean {
  if (part === 'condition') return true
  return condition === true && (part === 'consensus' || consensus === true)
}

/** The text at the place is equal to no value that it is compared with. */
function neverEqual({ place }: Finding, { notes }: Judged): boolean {
  const compared = notes.flatMap(({ tree, parts }): readonly [Tree, Value | Problem][] => {
    if (tree.kind !== 'comparison' && tree.kind !== 'member') return []
    const texts = children(tree).flatMap((side) => (side.kind === 'list' ? side.items : [side]))
    const text = texts.find(({ span }) => span.start === place?.start && span.end === place?.end)
    const subject = parts.find((note) => note.tree !== text && note.tree.kind !== 'list')
    return text === undefined || subject === undefined ? [] : [[text, subject.result]]
  })
  for (const [text, subject] of compared) {
    assert.ok(text.kind === 'literal')
    if (!(subject instanceof Problem)) assert.notEqual(compare('==', subject, text.value), true)
  }
  return compared.some(([, subject]) => !(subject instanceof Problem))
}
