import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import { charactersOf, type CompiledPolicy, type PolicyEffect } from './compile-policy.ts'
import { decisionSteps, type PolicyAnswer, type PolicyOutcome, type PolicyQuestion } from './decide.ts'
import type { Expression } from './expression.ts'
import { type Note, newRecorder } from './record.ts'
import { shown } from './shown.ts'
import { Problem } from './problem.ts'

/** How a decision came about. It can be written as JSON. */
export type Explanation = Pick<PolicyAnswer, 'decision' | 'deniedBy'> & {
  readonly policies: readonly PolicyExplanation[]
}

/** An expression that the policy does not have is absent. */
export type PolicyExplanation = {
  readonly policyId: string
  readonly effect: PolicyEffect
  readonly outcome: PolicyOutcome
  readonly condition?: ExpressionExplanation
  readonly consensus?: ExpressionExplanation
  readonly time?: ExpressionExplanation
}

/** `result` is absent when the outcome was clear without this expression, `whole` also when its text cannot be read any more. */
export type ExpressionExplanation = {
  readonly text: string
  readonly result?: ExplainedResult
  readonly whole?: ExplainedPart
}

/** A value as it would be written in the language, or why there is none. */
export type ExplainedResult =
  | { readonly value: string }
  | { readonly problem: { readonly kind: 'missing' | 'failed'; readonly reason: string } }

export type ExplainedPart = {
  /** The kind of part: `comparison`, `field`, `any`, and so on. */
  readonly kind: Note['tree']['kind']
  /** Its place in the text of the expression: UTF-16 code units, the end excluded. */
  readonly start: number
  readonly end: number
  /** The beginning of it, where it is long. */
  readonly text: string
  readonly result: ExplainedResult
  /** The item at hand, inside a list function. */
  readonly item?: { readonly name: string; readonly value: string }
  /** In the order in which they were evaluated; the body of a list function comes once for each item. */
  readonly parts: readonly ExplainedPart[]
  /** There were more parts than an explanation has room for. */
  readonly isCut?: true
}

/** Decides by the very code that decides, and tells every step of it. */
export function explainPolicies(question: PolicyQuestion): Explanation {
  return finished(explanationSteps(question))
}

/** The same in steps: the texts are read anew, for an expression that is listened to is compiled for that. */
export function* explanationSteps(question: PolicyQuestion): Steps<Explanation> {
  const room = { left: PARTS_MAX }
  const heard = question.policies.map((policy) => listenedTo(policy, room))
  const deciding = decisionSteps({ ...question, policies: heard.map(({ policy }) => policy) })
  const answer = yield* withReading(deciding, question.policies)
  const policies: PolicyExplanation[] = []
  for (const [at, { policy, told }] of heard.entries()) {
    const { policyId, effect } = policy
    // There is one evaluation for each policy.
    const outcome = answer.evaluations[at]?.outcome ?? 'OUTCOME_ERROR'
    policies.push({ policyId, effect, outcome, ...told() })
    yield costs.explainedPolicy
  }
  return { decision: answer.decision, deniedBy: answer.deniedBy, policies }
}

/** There are as many steps as policies, or more, and the first ones here also pay for reading the texts. */
function* withReading(
  deciding: Steps<PolicyAnswer>,
  policies: readonly CompiledPolicy[],
): Steps<PolicyAnswer> {
  const characters = policies.map(charactersOf).values()
  for (;;) {
    const step = deciding.next()
    if (step.done === true) return step.value
    yield step.value + (characters.next().value ?? 0) * costs.expressionCharacter
  }
}

/** The bound on parts in all; a policy has some tens of them. */
const PARTS_MAX = 20_000

/** UTF-16 code units of the text of a part, of which there may be one for each item of a list: the whole text is told once. */
const PART_TEXT_MAX = 512

type Told = Pick<PolicyExplanation, 'condition' | 'consensus' | 'time'>

function listenedTo(
  policy: CompiledPolicy,
  room: { left: number },
): { readonly policy: CompiledPolicy; readonly told: () => Told } {
  const condition = policy.condition && listening(policy.condition, room)
  const consensus = policy.consensus && listening(policy.consensus, room)
  const time = policy.time && listening(policy.time, room)
  return {
    policy: {
      ...policy,
      ...(condition && { condition: condition.expression }),
      ...(consensus && { consensus: consensus.expression }),
      ...(time && { time: time.expression }),
    },
    told: () => ({
      ...(condition && { condition: condition.told() }),
      ...(consensus && { consensus: consensus.told() }),
      ...(time && { time: time.told() }),
    }),
  }
}

function listening<E extends Expression>(
  expression: E,
  room: { left: number },
): { readonly expression: E; readonly told: () => ExpressionExplanation } {
  const { text } = expression
  let result: boolean | Problem | undefined
  let whole: Note | undefined
  const evaluate: Expression['evaluate'] = (...given) => {
    const recorder = newRecorder(room)
    result = expression.recorded(recorder)(...given)
    whole = recorder.noted()
    return result
  }
  return {
    expression: { ...expression, evaluate },
    told: () => ({
      text,
      ...(result === undefined ? {} : { result: resultOf(result) }),
      ...(whole === undefined ? {} : { whole: partOf(whole, text) }),
    }),
  }
}

function partOf({ tree, item, result, parts, isCut }: Note, text: string): ExplainedPart {
  const { start, end } = tree.span
  return {
    kind: tree.kind,
    start,
    end,
    text: text.slice(start, Math.min(end, start + PART_TEXT_MAX)),
    result: resultOf(result),
    ...(item === undefined ? {} : { item: { name: item.name, value: shown(item.value) } }),
    parts: parts.map((part) => partOf(part, text)),
    ...(isCut ? { isCut } : {}),
  }
}

function resultOf(result: Note['result']): ExplainedResult {
  if (!(result instanceof Problem)) return { value: shown(result) }
  const { kind, reason } = result
  return { problem: { kind, reason } }
}
