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

/**
 * `result` is absent when the outcome was clear without this expression, `whole` also when its text cannot be read any
 * more.
 */
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
  /** There were more parts than there was room for. */
  readonly isCut?: true
}

/** Decides by the very code that decides, and tells every step of it. */
export function explainPolicies(question: PolicyQuestion): Explanation {
  return finished(explanationSteps(question))
}

/** The parts and the characters that may still be told; several explanations of one request share them. */
type ExplanationRoom = { readonly parts: { left: number }; characters: number }

export function explanationRoom(): ExplanationRoom {
  return { parts: { left: PARTS_MAX }, characters: CHARACTERS_MAX }
}

/** The same in steps: the texts are read anew, for an expression that is listened to is compiled for that. */
export function* explanationSteps(
  question: PolicyQuestion,
  room: ExplanationRoom = explanationRoom(),
): Steps<Explanation> {
  const heard = question.policies.map((policy) => listenedTo(policy, room))
  const deciding = decisionSteps({ ...question, policies: heard.map(({ policy }) => policy) })
  const answer = yield* withReading(deciding, question.policies)
  const policies: PolicyExplanation[] = []
  for (const [at, { policy, told }] of heard.entries()) {
    const { policyId, effect } = policy
    // There is one evaluation for each policy.
    const outcome = answer.evaluations[at]?.outcome ?? 'OUTCOME_ERROR'
    policies.push({ policyId, effect, outcome, ...(yield* told()) })
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
const PARTS_MAX = 10_000

/** The bound on their texts and values in all, as JSON: a value is told anew wherever it is named. */
const CHARACTERS_MAX = 1_000_000

/**
 * UTF-16 code units of the text of a part, of which there may be one for each item of a list: the whole text is told
 * once.
 */
const PART_TEXT_MAX = 512

type Told = Pick<PolicyExplanation, 'condition' | 'consensus' | 'time'>

function listenedTo(
  policy: CompiledPolicy,
  room: ExplanationRoom,
): { readonly policy: CompiledPolicy; readonly told: () => Steps<Told> } {
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
    told: function* () {
      return {
        ...(condition && { condition: yield* condition.told() }),
        ...(consensus && { consensus: yield* consensus.told() }),
        ...(time && { time: yield* time.told() }),
      }
    },
  }
}

function listening<E extends Expression>(
  expression: E,
  room: ExplanationRoom,
): { readonly expression: E; readonly told: () => Steps<ExpressionExplanation> } {
  const { text } = expression
  let result: boolean | Problem | undefined
  let whole: Note | undefined
  const evaluate: Expression['evaluate'] = (...given) => {
    const recorder = newRecorder(room.parts)
    result = expression.recorded(recorder)(...given)
    whole = recorder.noted()
    return result
  }
  return {
    expression: { ...expression, evaluate },
    told: function* () {
      room.characters -= text.length
      const part = whole === undefined ? undefined : yield* partOf(whole, text, room)
      return {
        text,
        ...(result === undefined ? {} : { result: resultOf(result) }),
        ...(part === undefined ? {} : { whole: part }),
      }
    },
  }
}

/** Undefined where there is no room left. */
function* partOf(
  { tree, item, result, parts, isCut }: Note,
  source: string,
  room: ExplanationRoom,
): Steps<ExplainedPart | undefined> {
  if (room.characters <= 0) return undefined
  const { start, end } = tree.span
  const told = {
    text: source.slice(start, Math.min(end, start + PART_TEXT_MAX)),
    result: resultOf(result),
    ...(item === undefined ? {} : { item: { name: item.name, value: shown(item.value) } }),
  }
  const characters = JSON.stringify(told).length
  room.characters -= characters
  yield costs.explainedPart + characters * costs.explainedCharacter
  const inner: ExplainedPart[] = []
  for (const part of parts) {
    const explained = yield* partOf(part, source, room)
    if (explained === undefined) break
    inner.push(explained)
  }
  const isShortened = isCut || inner.length < parts.length
  return { kind: tree.kind, start, end, ...told, parts: inner, ...(isShortened ? { isCut: true } : {}) }
}

function resultOf(result: Note['result']): ExplainedResult {
  if (!(result instanceof Problem)) return { value: shown(result) }
  const { kind, reason } = result
  return { problem: { kind, reason } }
}
