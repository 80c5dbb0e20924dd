import {
  either,
  flag,
  later,
  list,
  nameIn,
  oneOf,
  optional,
  type Plain,
  record,
  text,
  whole,
} from '../trusted/base/plain.ts'
import type { Judgement } from '../trusted/catalogue/rehearsal.ts'
import type { PolicyDecision, PolicyOutcome } from '../trusted/policy/decide.ts'
import type {
  ExplainedPart,
  ExplainedResult,
  Explanation,
  ExpressionExplanation,
} from '../trusted/policy/explain.ts'
import { ROWS_MAX } from './rows.ts'

const CHARACTERS_MAX = 16 * 1024 * 1024
const words = text(CHARACTERS_MAX)
const ids = list(words, ROWS_MAX)

const result: Plain<ExplainedResult> = either(
  record({ value: words }),
  record({ problem: record({ kind: oneOf(['missing', 'failed']), reason: words }) }),
)

const part: Plain<ExplainedPart> = record({
  kind: nameIn<ExplainedPart['kind']>({
    literal: true,
    list: true,
    name: true,
    field: true,
    index: true,
    slice: true,
    and: true,
    or: true,
    not: true,
    comparison: true,
    member: true,
    any: true,
    all: true,
    filter: true,
    count: true,
    caseless: true,
    timestamp: true,
    cronSpan: true,
    usage: true,
  }),
  start: whole(),
  end: whole(),
  text: words,
  result,
  item: optional(record({ name: words, value: words })),
  parts: list(
    later(() => part),
    ROWS_MAX,
  ),
  isCut: optional(oneOf([true])),
})

const expression: Plain<ExpressionExplanation> = record({
  text: words,
  result: optional(result),
  whole: optional(part),
})

const outcome = nameIn<PolicyOutcome>({
  OUTCOME_ALLOW: true,
  OUTCOME_DENY_EXPLICIT: true,
  OUTCOME_DENY_IMPLICIT: true,
  OUTCOME_REQUIRES_CONSENSUS: true,
  OUTCOME_ERROR: true,
  OUTCOME_TIME_INACTIVE: true,
})

const explanation: Plain<Explanation> = record({
  decision: nameIn<PolicyDecision>({ allow: true, deny: true, consensus: true, none: true }),
  deniedBy: ids,
  policies: list(
    record({
      policyId: words,
      effect: oneOf(['EFFECT_ALLOW', 'EFFECT_DENY']),
      outcome,
      condition: optional(expression),
      consensus: optional(expression),
      time: optional(expression),
    }),
    ROWS_MAX,
  ),
})

/** The decision that a rehearsed request would get. */
export const judgement: Plain<Judgement> = record({
  decision: nameIn<Judgement['decision']>({ allow: true, wait: true, deny: true }),
  asked: flag,
  evaluations: list(record({ policyId: words, outcome: words }), ROWS_MAX),
  deniedBy: ids,
  voters: ids,
  explanations: list(explanation, ROWS_MAX),
})
