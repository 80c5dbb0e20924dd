import { dirname, resolve } from 'node:path'
import { realWorld } from '../../../trusted/base/real-world.ts'
import type { ExplainedPart, PolicyExplanation } from '../../../trusted/policy/explain.ts'
import { type PolicyTestResult, runPolicyTest } from '../../../trusted/policy/policy-tests.ts'
import { fileArguments } from './file-arguments.ts'
import { policiesIn } from './policies-in.ts'
import { printable, printableJson } from './printable.ts'
import { about, readJsonFile } from './read-json-file.ts'
import { testFileShape } from './test-file.ts'
import { testsOf } from './tests-of.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger policies test FILE`: 1 if a case does not have the expected outcome. It needs no service. */
export async function test(args: readonly string[]): Promise<ExitCode<'policies test'>> {
  const { path, json } = fileArguments(args, { guard: false })
  const file = about(path, () => testFileShape.read(readJsonFile(path), '', 'strict'))
  const policies =
    typeof file.policies === 'string'
      ? policiesOfFile(resolve(dirname(path), file.policies))
      : about(path, () => policiesIn(file.policies, 'policies'))
  const tests = about(path, () => testsOf(file, policies, realWorld.now()))
  const results = tests.map(runPolicyTest)
  process.stdout.write(json ? `${printableJson({ results }, 2)}\n` : told(results))
  return results.every(({ passed }) => passed) ? 0 : 1
}

function policiesOfFile(path: string) {
  return about(path, () => policiesIn(readJsonFile(path), 'policies'))
}

function told(results: readonly PolicyTestResult[]): string {
  const failed = results.filter(({ passed }) => !passed).length
  return `${results.flatMap(lines).map(printable).join('\n')}\n${results.length - failed} passed, ${failed} failed\n`
}

function lines({
  name,
  passed,
  expected,
  decision,
  wrongOutcomes,
  explanation,
}: PolicyTestResult): readonly string[] {
  if (passed) return [`ok      ${name}`]
  return [
    `failed  ${name}`,
    ...(decision === expected ? [] : [`  expected ${expected}, but it is ${decision}`]),
    ...wrongOutcomes.map(
      (wrong) =>
        `  expected ${wrong.expected} of ${wrong.policyId}, but it is ${wrong.outcome ?? 'not there'}`,
    ),
    ...(explanation?.policies ?? []).flatMap(policyLines),
  ]
}

/** The outcome of a policy, and the value of each part of its expressions. */
function policyLines({
  policyId,
  outcome,
  condition,
  consensus,
  time,
}: PolicyExplanation): readonly string[] {
  const expressions = [condition, consensus, time].flatMap((expression) =>
    expression?.whole === undefined ? [] : partLines(expression.whole, '      '),
  )
  return [`    ${policyId}: ${outcome}`, ...expressions]
}

/** The parts of a field, a name or a literal add no information. */
function partLines({ text, result, parts, item, kind }: ExplainedPart, indent: string): readonly string[] {
  const came = 'value' in result ? result.value : result.problem.reason
  const where = item === undefined ? '' : ` (${item.name} is ${item.value})`
  const inner = LEAVES.includes(kind) ? [] : parts.flatMap((part) => partLines(part, `${indent}  `))
  return kind === 'literal' ? [] : [`${indent}${text}: ${came}${where}`, ...inner]
}

const LEAVES: readonly ExplainedPart['kind'][] = ['name', 'field', 'literal', 'list', 'index']
