import { present } from '../../base/assert.ts'
import { compilePolicy, type PolicyEffect, type PolicyTerms } from '../../policy/compile-policy.ts'
import { decidePolicies, type PolicyDecision, type PolicyOutcome } from '../../policy/decide.ts'
import { type Expression, parseExpression } from '../../policy/expression.ts'
import type { AbstractRequest } from '../../policy/lint/abstract-request.ts'
import type { Finding } from '../../policy/lint/finding.ts'
import { type Approval, peopleFacts } from '../../policy/people.ts'
import { Problem } from '../../policy/problem.ts'
import { newRecorder, type Note } from '../../policy/record.ts'
import { decisionBudget } from '../../policy/run.ts'
import { everyone, withPasskey } from '../../policy/testing/members.ts'
import { timeFacts } from '../../policy/time.ts'
import type { Facts, Value, Vocabulary } from '../../policy/types.ts'
import { isFields } from '../../policy/values.ts'
import { controls } from './arbitrary-linted-policy.ts'

type TriedRequest = {
  readonly form: AbstractRequest
  readonly facts: Facts
  /** The last of them is the voter. */
  readonly approvals: readonly Approval[]
  readonly now: number
  /** What each meter has counted before. */
  readonly used: bigint
}

/** One policy and one request: the decision, and the value of each part, whether or not it was asked for. */
export type Judged = {
  readonly effect: PolicyEffect
  readonly outcome: PolicyOutcome
  /** Of all policies, by their ids. */
  readonly outcomes: ReadonlyMap<string, PolicyOutcome>
  readonly condition: boolean | Problem
  readonly consensus: boolean | Problem
  readonly active: boolean | Problem
  /** Every part of every expression, as often as it was evaluated. */
  readonly notes: readonly Note[]
  /** The name of the abstract request. */
  readonly form: string
  readonly activity: {
    readonly kind: string
    readonly types: readonly string[]
    readonly isOwn: boolean
    readonly isOfCredential: boolean
  }
  /** The value of another condition, of this request or of one in another version. */
  readonly read: (condition: string, type?: string) => boolean | 'none'
  /** The notes of the part with such a place. */
  readonly notesOf: { readonly [part in 'condition' | 'consensus' | 'time']: readonly Note[] }
  readonly sources: { readonly [part in 'condition' | 'consensus' | 'time']: string }
}

/** The judgement of all policies on one request, and that of each by its id. */
export type Judgement = {
  readonly request: TriedRequest
  readonly decision: PolicyDecision
  readonly each: ReadonlyMap<string, Judged>
}

export function judge(
  policies: readonly PolicyTerms[],
  request: TriedRequest,
  vocabulary: Vocabulary,
): Judgement {
  const { form, facts, approvals, now, used } = request
  const usage = (): bigint => used
  const compiled = policies.map((terms) => compilePolicy(terms, vocabulary, controls))
  const isOwn = form.isOwn === true
  const isOfCredential = isAboutCredentials(form)
  const { decision, evaluations } = decidePolicies({
    policies: compiled,
    facts,
    approvals,
    voter: present(approvals.at(-1), 'somebody approves'),
    everyone: everyone.map(withPasskey),
    isOwn: isOwn && isOfCredential,
    now,
    usage,
  })
  const outcomes = new Map(evaluations.map(({ policyId, outcome }) => [policyId, outcome]))
  const people = peopleFacts(approvals)
  const each = compiled.map(({ policyId, effect, condition, consensus, time }): [string, Judged] => {
    const [about, agreed, active] = [
      heard(condition, facts, usage),
      heard(consensus, people),
      heard(time, timeFacts(now)),
    ]
    const notesOf = { condition: about.notes, consensus: agreed.notes, time: active.notes }
    return [
      policyId,
      {
        effect,
        outcome: outcomes.get(policyId) ?? 'OUTCOME_ERROR',
        outcomes,
        condition: about.value,
        consensus: agreed.value,
        active: active.value,
        notes: Object.values(notesOf).flat(),
        form: form.name,
        activity: { kind: form.kind, types: typesOf(form), isOwn, isOfCredential },
        read: (text, type) => {
          const value = parseExpression(text, vocabulary).evaluate(
            type === undefined ? facts : ofType(facts, type),
          )
          return value instanceof Problem ? 'none' : value
        },
        notesOf,
        sources: {
          condition: condition?.text ?? '',
          consensus: consensus?.text ?? '',
          time: time?.text ?? '',
        },
      },
    ]
  })
  return { request, decision, each: new Map(each) }
}

/** The values of the part that a finding is about, as often as it was evaluated. */
export function valuesAt({ place }: Finding, { notesOf }: Judged): readonly (Value | Problem)[] {
  if (place === undefined) return []
  return notesOf[place.part]
    .filter(({ tree }) => tree.span.start === place.start && tree.span.end === place.end)
    .map(({ result }) => result)
}

/** The values of the parts of the condition that are written so. */
export function withText(text: string, { notesOf, sources }: Judged): readonly (Value | Problem)[] {
  return notesOf.condition
    .filter(({ tree }) => sources.condition.slice(tree.span.start, tree.span.end) === text)
    .map(({ result }) => result)
}

type Heard = { readonly value: boolean | Problem; readonly notes: readonly Note[] }

function heard(expression: Expression | undefined, facts: Facts, usage?: () => bigint): Heard {
  if (expression === undefined) return { value: true, notes: [] }
  const recorder = newRecorder({ left: 10_000 })
  const value = expression.recorded(recorder)(facts, decisionBudget(), usage)
  const whole = recorder.noted()
  return { value, notes: whole === undefined ? [] : all(whole) }
}

function all(note: Note): readonly Note[] {
  return [note, ...note.parts.flatMap(all)]
}

function isAboutCredentials({ facts: { activity } }: AbstractRequest): boolean {
  const resource = activity?.kind === 'fields' ? activity.fields['resource'] : undefined
  return resource?.kind === 'oneOf' && resource.values.includes('CREDENTIAL')
}

function typesOf({ facts: { activity } }: AbstractRequest): readonly string[] {
  const type = activity?.kind === 'fields' ? activity.fields['type'] : undefined
  return type?.kind === 'oneOf' ? type.values.map(String) : []
}

function ofType(facts: Facts, type: string): Facts {
  const { activity } = facts
  assertFields(activity)
  return { ...facts, activity: { ...activity, type } }
}

function assertFields(value: Facts[string]): asserts value is Facts {
  if (value === undefined || value instanceof Problem || !isFields(value)) throw new TypeError('no activity')
}
