import { costs } from '../base/costs.ts'
import { Failure } from '../base/failure.ts'
import { finished, type Steps, type Units } from '../base/work.ts'
import { type Condition, parseCondition } from './condition.ts'
import { type Consensus, parseConsensus } from './consensus.ts'
import { zoneSteps } from './check-zones.ts'
import { anyControl, type Controls, noControls } from './controls.ts'
import { checkParts, type Expression, parseExpression } from './expression.ts'
import { policyConditionInvalid, policyConsensusInvalid, policyTimeInvalid } from './failures.ts'
import { timeVocabulary } from './time.ts'
import type { Vocabulary } from './types.ts'
import { Problem } from './problem.ts'

export type PolicyEffect = 'EFFECT_ALLOW' | 'EFFECT_DENY'

/**
 * The parts of a stored policy that decide. Absent and empty are different, because an empty expression is invalid; but
 * an empty time is an absent one.
 */
export type PolicyTerms = {
  readonly policyId: string
  readonly effect: PolicyEffect
  readonly condition?: string | undefined
  readonly consensus?: string | undefined
  readonly time?: string | undefined
}

/**
 * Without a condition it is about every activity; without a consensus any approver will do; without a time it is always
 * active.
 */
export type CompiledPolicy = {
  readonly policyId: string
  readonly effect: PolicyEffect
  readonly condition?: Condition
  readonly consensus?: Consensus
  readonly time?: Expression
}

type WrittenTerms = Pick<PolicyTerms, 'condition' | 'consensus' | 'time'>

/**
 * Checks the terms of a policy that is to be written.
 *
 * @throws Failure `policyConditionInvalid`, `policyConsensusInvalid` or `policyTimeInvalid`
 */
export function checkPolicyTerms(terms: WrittenTerms, vocabulary: Vocabulary): void {
  finished(checkSteps([terms], vocabulary))
}

/**
 * Checks several, in steps: each expression is one, and each time zone.
 *
 * @returns  the number of their parts
 */
export function* checkSteps(policies: readonly WrittenTerms[], vocabulary: Vocabulary): Steps<number> {
  let parts = 0
  for (const { condition, consensus, time } of policies) {
    yield costOfReading(condition)
    if (condition !== undefined)
      parts += readOr(condition, written(conditions(vocabulary, anyControl)), refuseCondition).parts
    yield costOfReading(consensus)
    if (consensus !== undefined) parts += readOr(consensus, written(parseConsensus), refuseConsensus).parts
    yield costOfReading(time)
    if (!isEmpty(time)) parts += yield* checkTime(time)
  }
  return parts
}

function* checkTime(text: string): Steps<number> {
  try {
    yield* zoneSteps(text)
    return written(storedTime)(text).parts
  } catch (error) {
    throw error instanceof Failure ? policyTimeInvalid({ reason: error.message }) : error
  }
}

/**
 * Makes a stored policy ready to decide with. It never throws: an expression that no longer fits the vocabulary fails
 * whenever it is asked, so that an ALLOW policy does not allow and a DENY policy denies.
 */
export function compilePolicy(
  terms: PolicyTerms,
  vocabulary: Vocabulary,
  controls: Controls = noControls,
): CompiledPolicy {
  return finished(compileSteps(terms, vocabulary, controls))
}

/** The same in steps: each expression is one. The controls in a condition are parsed with it, and paid for then. */
export function* compileSteps(
  { policyId, effect, condition, consensus, time }: PolicyTerms,
  vocabulary: Vocabulary,
  controls: Controls,
): Steps<CompiledPolicy> {
  yield costOfReading(condition)
  const about =
    condition === undefined ? undefined : readOr(condition, conditions(vocabulary, controls), broken)
  yield costOfReading(about) - costOfReading(condition)
  yield costOfReading(consensus)
  const by = consensus === undefined ? undefined : readOr(consensus, parseConsensus, broken)
  yield costOfReading(time)
  const at = isEmpty(time) ? undefined : readOr(time, storedTime, broken)
  return {
    policyId,
    effect,
    ...(about === undefined ? {} : { condition: about }),
    ...(by === undefined ? {} : { consensus: by }),
    ...(at === undefined ? {} : { time: at }),
  }
}

/**
 * The number of characters that are read when a policy is compiled or checked. For a compiled policy they include the
 * texts of its controls.
 */
export function charactersOf({ condition, consensus, time }: Texts): number {
  return [condition, consensus, time].reduce((sum, text) => sum + charactersIn(text), 0)
}

type Texts = { readonly [P in 'condition' | 'consensus' | 'time']?: Text }
type Text = string | { readonly text: string; readonly characters?: number } | undefined

function costOfReading(text: Text): Units {
  return charactersIn(text) * costs.expressionCharacter
}

function charactersIn(text: Text = ''): number {
  return typeof text === 'string' ? text.length : (text.characters ?? text.text.length)
}

function conditions(vocabulary: Vocabulary, controls: Controls): (text: string) => Condition {
  return (text) => parseCondition(text, vocabulary, controls)
}

function written<E extends Expression>(read: (text: string) => E): (text: string) => E {
  return (text) => checkParts(read(text))
}

function isEmpty(time: string | undefined): time is undefined | '' {
  return time === undefined || time === ''
}

/** Its zones were known when it was written. */
function storedTime(text: string): Expression {
  return parseExpression(text, timeVocabulary)
}

function readOr<T>(
  text: string,
  read: (text: string) => T,
  otherwise: (reason: string, text: string) => T,
): T {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof Failure) return otherwise(error.message, text)
    throw error
  }
}

function refuseCondition(reason: string): never {
  throw policyConditionInvalid({ reason })
}

function refuseConsensus(reason: string): never {
  throw policyConsensusInvalid({ reason })
}

function broken(reason: string, text: string): Condition & Consensus {
  const problem = new Problem('failed', reason)
  const evaluate = (): Problem => problem
  return {
    text,
    parts: 1,
    evaluate,
    recorded: () => evaluate,
    demand: { kind: 'or', parts: [] },
    namesCredentials: false,
    characters: text.length,
    meters: [],
    grantsRaw: false,
    couldHold: () => false,
  }
}
