import { activities } from '../../../trusted/activities/list.ts'
import { abstractRequestsOf } from '../../../trusted/activities/abstract-requests.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { policyVocabulary } from '../../../trusted/catalogue/vocabulary.ts'
import { lintPolicies } from '../../../trusted/policy/lint.ts'
import type { Finding } from '../../../trusted/policy/lint/finding.ts'
import { fileArguments } from './file-arguments.ts'
import { policiesIn } from './policies-in.ts'
import { printable, printableJson } from './printable.ts'
import { about, readJsonFile } from './read-json-file.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger policies lint FILE`: 1 for a finding above the level of a note. It needs no service. */
export async function lint(args: readonly string[]): Promise<ExitCode<'policies lint'>> {
  const { path, json, guard } = fileArguments(args, { guard: true })
  const policies = about(path, () => policiesIn(readJsonFile(path), 'policies'))
  const findings = lintPolicies(policies, {
    vocabulary: policyVocabulary(activities),
    abstractRequests: abstractRequestsOf(activities),
    now: realWorld.now(),
    rawSigningGuard: guard,
  })
  process.stdout.write(json ? `${printableJson({ findings }, 2)}\n` : told(findings, policies.length))
  return findings.some(({ severity }) => severity !== 'note') ? 1 : 0
}

function told(findings: readonly Finding[], count: number): string {
  const total = `${count} ${count === 1 ? 'policy' : 'policies'}, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  return [...findings.map(finding), `${total}\n`].join('\n')
}

function finding({ policyId, policyName, severity, what, why, place, others = [] }: Finding): string {
  const name = policyName === undefined || policyName === policyId ? policyId : `${policyName} (${policyId})`
  const lines = [
    `${severity}: ${name}: ${what}`,
    ...(place === undefined ? [] : [`  ${place.part} ${place.start}:${place.end}: ${place.text}`]),
    ...(others.length === 0 ? [] : [`  with: ${others.join(', ')}`]),
    `  ${why}`,
  ]
  return lines.map((line) => `${printable(line)}\n`).join('')
}
