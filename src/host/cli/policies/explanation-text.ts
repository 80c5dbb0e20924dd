import type {
  ExplainedPart,
  ExplainedResult,
  Explanation,
  ExpressionExplanation,
  PolicyExplanation,
} from '../../../trusted/policy/explain.ts'
import { onOneLine, printable } from './printable.ts'

/** The reasons for a decision, policy by policy: each subexpression on a line of its own, with its value beside it. */
export function explanationText(
  { policies }: Explanation,
  nameOf: (policyId: string) => string,
): readonly string[] {
  return policies.flatMap((policy) => ['', ...policyText(policy, nameOf)])
}

function policyText(policy: PolicyExplanation, nameOf: (policyId: string) => string): readonly string[] {
  const { policyId, effect, outcome, condition, consensus, time } = policy
  return [
    `${outcome}  ${effect}  ${nameOf(policyId)}`,
    ...expressionText('condition', condition),
    ...expressionText('consensus', consensus),
    ...expressionText('time', time),
  ]
}

function expressionText(name: string, explained: ExpressionExplanation | undefined): readonly string[] {
  if (explained === undefined) return []
  const { text, result, whole } = explained
  if (result === undefined) return [`  ${name}: not asked`, `    ${onOneLine(text)}`]
  const told = `  ${name}: ${resultText(result)}`
  return whole === undefined ? [told, `    ${onOneLine(text)}`] : [told, ...beside(rowsOf(whole, 4))]
}

type Row = { readonly text: string; readonly value: string }

function rowsOf(part: ExplainedPart, indent: number): readonly Row[] {
  const { text, result, item, parts, isCut } = part
  const margin = ' '.repeat(indent)
  const forItem = item === undefined ? '' : `${printable(item.name)} = ${printable(item.value)}: `
  return [
    { text: `${margin}${forItem}${onOneLine(text)}`, value: resultText(result) },
    ...(isPath(part) ? [] : parts.filter((under) => !saysItself(under))).flatMap((under) =>
      rowsOf(under, indent + 2),
    ),
    ...(isCut === true
      ? [{ text: `${margin}  …`, value: 'more parts than an explanation has room for' }]
      : []),
  ]
}

/** `eth.tx.value`: the value contains its steps, and if there is none, the problem names the step. */
function isPath({ kind, parts }: ExplainedPart): boolean {
  return kind === 'name' || (kind === 'field' && parts.every(isPath))
}

/** A part whose value is written in the expression itself. */
function saysItself({ text, result, item, parts }: ExplainedPart): boolean {
  return parts.length === 0 && item === undefined && 'value' in result && result.value === text
}

function resultText(result: ExplainedResult): string {
  if ('value' in result) return printable(result.value)
  const { kind, reason } = result.problem
  return kind === 'missing' ? `not there: ${printable(reason)}` : `no value: ${printable(reason)}`
}

const COLUMN_MAX = 72

/** Values in one column; beside a longer text, on the next line. */
function beside(rows: readonly Row[]): readonly string[] {
  const column = Math.max(0, ...rows.map(({ text }) => text.length).filter((length) => length <= COLUMN_MAX))
  return rows.flatMap(({ text, value }) =>
    text.length <= column ? [`${text.padEnd(column)}  ${value}`] : [text, `${' '.repeat(column)}  ${value}`],
  )
}
