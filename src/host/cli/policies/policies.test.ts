import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand, temporaryFolder } from '../../../../test/support/running-service.ts'
import { activities } from '../../../trusted/activities/list.ts'
import { abstractRequestsOf } from '../../../trusted/activities/abstract-requests.ts'
import type { JsonValue } from '../../../trusted/base/strict-json.ts'
import type { AbstractValue } from '../../../trusted/policy/lint/abstract-request.ts'
import { runPolicyTest } from '../../../trusted/policy/policy-tests.ts'
import type { Value } from '../../../trusted/policy/types.ts'
import { isFields } from '../../../trusted/policy/values.ts'
import { Problem } from '../../../trusted/policy/problem.ts'
import { policiesIn } from './policies-in.ts'
import { readJsonFile } from './read-json-file.ts'
import { testFileShape } from './test-file.ts'
import { testsOf } from './tests-of.ts'

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/policies/${name}`, import.meta.url))
const NOW = Date.UTC(2026, 2, 1)

function exampleTests() {
  const file = testFileShape.read(readJsonFile(example('policy-tests.json')), '', 'strict')
  return testsOf(file, policiesIn(readJsonFile(example('policies.json')), 'policies'), NOW)
}

/** The file of the example, with other parts. */
function changed(change: (file: Record<string, JsonValue>) => void): string {
  // The example is an object.
  const file = JSON.parse(readFileSync(example('policy-tests.json'), 'utf8')) as Record<string, JsonValue>
  file['policies'] = JSON.parse(readFileSync(example('policies.json'), 'utf8'))
  change(file)
  return written(file)
}

function written(value: unknown): string {
  const path = join(temporaryFolder(), 'file.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const run = async (...args: readonly string[]) => await runCommand(['policies', ...args])

test('the example of the documentation has no findings, and its tests pass', async () => {
  const lint = await run('lint', example('policies.json'))
  assert.deepEqual([lint.code, lint.output], [0, '5 policies, 0 findings\n'])
  const tests = await run('test', example('policy-tests.json'))
  assert.equal(tests.code, 0, tests.output)
  assert.match(tests.output, /^13 passed, 0 failed$/m)
})

test('a case that comes out as expected passes, without an explanation', () => {
  for (const exampleTest of exampleTests()) {
    const { name, expect: expected } = exampleTest
    const passed = { name, passed: true, expected, decision: expected, wrongOutcomes: [] }
    assert.deepEqual(runPolicyTest(exampleTest), passed)
  }
})

test('every case of the example fails when its policies are not there, and says what was decided', () => {
  for (const exampleTest of exampleTests()) {
    if (exampleTest.expect === 'none') continue
    const questions = exampleTest.questions.map((question) => ({ ...question, policies: [] }))
    const { passed, decision, wrongOutcomes, explanation } = runPolicyTest({ ...exampleTest, questions })
    assert.deepEqual([passed, decision, explanation?.policies], [false, 'none', []], exampleTest.name)
    const expected = Object.entries(exampleTest.outcomes ?? {})
    assert.deepEqual(
      wrongOutcomes,
      expected.map(([policyId, outcome]) => ({ policyId, expected: outcome })),
    )
  }
})

test('a policy that comes to another outcome than expected is told with both', () => {
  for (const exampleTest of exampleTests()) {
    for (const [policyId, outcome] of Object.entries(exampleTest.outcomes ?? {})) {
      const outcomes = { [policyId]: 'OUTCOME_ERROR' } as const
      const { passed, wrongOutcomes } = runPolicyTest({ ...exampleTest, outcomes })
      assert.equal(passed, false)
      assert.deepEqual(wrongOutcomes, [{ policyId, expected: 'OUTCOME_ERROR', outcome }])
    }
  }
})

test('what policies see of real requests is what the lint expects of such requests', () => {
  const abstractRequests = abstractRequestsOf(activities)
  for (const { name, questions } of exampleTests()) {
    if (name.startsWith('two operators')) continue
    for (const { facts } of questions) {
      const { payload } = facts
      const isOpaque = JSON.stringify(payload) === '{"opaque":true}'
      const fitting = abstractRequests.filter((abstractRequest) =>
        fits(facts, { kind: 'fields', fields: abstractRequest.facts }),
      )
      assert.ok(
        fitting.some((abstractRequest) => abstractRequest.isOpaque === isOpaque),
        `no abstract request is like: ${name}`,
      )
    }
  }
})

function fits(value: Value | Problem | undefined, abstractValue: AbstractValue | undefined): boolean {
  if (abstractValue?.kind === 'anything') return true
  if (value === undefined || abstractValue === undefined) return value === abstractValue
  if (abstractValue.kind === 'oneOf') return abstractValue.values.some((item) => item === value)
  if (value instanceof Problem) return false
  return (
    isFields(value) && Object.entries(value).every(([name, under]) => fits(under, abstractValue.fields[name]))
  )
}

test('a test that fails is told with the value of every part, and the command fails', async () => {
  const path = changed((file) => {
    file['policies'] = [{ policyName: 'Small', effect: 'EFFECT_ALLOW', condition: 'eth.tx.value < 10' }]
    const [first] = file['cases'] as JsonValue[]
    // A case of the example is an object.
    file['cases'] = [{ ...(first as Record<string, JsonValue>), outcomes: { Small: 'OUTCOME_ALLOW' } }]
  })
  const { code, output } = await run('test', path)
  assert.equal(code, 1)
  for (const line of [
    'failed  an operator pays a small amount alone',
    '  expected allow, but it is none',
    '  expected OUTCOME_ALLOW of Small, but it is OUTCOME_DENY_IMPLICIT',
    '      eth.tx.value < 10: false',
    '        eth.tx.value: 1000',
    '0 passed, 1 failed',
  ])
    assert.ok(output.includes(`${line}\n`), `${line}\n\n${output}`)
  const json = await run('test', '--json', path)
  assert.equal(json.code, 1)
  assert.equal(JSON.parse(json.output).results[0].decision, 'none')
})

test('findings are told with the policy, the place and the reason, and the command fails', async () => {
  const path = written([
    { policyId: 'P1', policyName: 'Sign', effect: 'EFFECT_ALLOW', condition: "activity.action == 'SIGN'" },
    { policyName: 'No value', effect: 'EFFECT_DENY', condition: 'eth.tx.value > 5 && eth.tx.vallue > 6' },
    { policyName: 'No X', effect: 'EFFECT_DENY', condition: "eth.tx.to == '0xX'" },
  ])
  const { code, output } = await run('lint', path)
  assert.equal(code, 1)
  assert.match(output, /^danger: Sign \(P1\): rawAroundDeny\n {2}with: No X\n {2}\S/m)
  assert.match(output, /^danger: No value: unreadable\n {2}condition 20:33: eth\.tx\.vallue\n/m)
  assert.match(output, /^3 policies, 2 findings$/m)
  const json = await run('lint', '--json', path)
  assert.equal(json.code, 1)
  assert.deepEqual(
    JSON.parse(json.output).findings.map(({ what }: { readonly what: string }) => what),
    ['rawAroundDeny', 'unreadable'],
  )
  const guarded = await run('lint', '--guard', path)
  assert.match(guarded.output, /^3 policies, 1 finding$/m)
})

test('the answer of list_policies can be looked over as it is', () => {
  const answer = {
    policies: [
      {
        policyId: 'P',
        policyName: 'N',
        effect: 'EFFECT_ALLOW',
        condition: '',
        consensus: 'true',
        notes: '',
        createdAt: {},
      },
    ],
  }
  assert.deepEqual(policiesIn(answer, 'policies'), [
    { policyId: 'P', policyName: 'N', effect: 'EFFECT_ALLOW', consensus: 'true' },
  ])
})

test('a file that cannot be used is refused with the place of what is wrong', async () => {
  const first = (file: Record<string, JsonValue>): Record<string, JsonValue> =>
    // The cases of the example are objects.
    (file['cases'] as Record<string, JsonValue>[])[0] ?? {}
  for (const [path, expected] of [
    [written('{'), /bad request body|unexpected|end/],
    [written([{ effect: 'EFFECT_MAYBE' }]), /policies/],
    [changed((file) => Object.assign(first(file), { by: 'Nobody' })), /cases\[0\]\.by` names nobody/],
    [
      changed((file) => Object.assign(first(file), { expect: 'yes' })),
      /cases\[0\]\.expect` must be one of allow/,
    ],
    [
      changed((file) => Object.assign(first(file), { facts: {} })),
      /cases\[0\]` must have a request or facts/,
    ],
    [
      changed((file) => Object.assign(first(file), { outcomes: { X: 'OUTCOME_ALLOW' } })),
      /names no policy: X/,
    ],
    [
      changed((file) => Object.assign(first(file), { request: null, facts: { eth: { tx: { vallue: 1 } } } })),
      /cases\[0\]\.facts\.eth\.tx\.vallue` is not a fact that policies know/,
    ],
    [
      changed((file) =>
        Object.assign(first(file), {
          request: { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters: {} },
        }),
      ),
      /is refused before any policy is asked: .*signWith/,
    ],
    [
      changed((file) => Object.assign(first(file), { usage: [{ of: 'eth.tx.value', amount: '1' }] })),
      /usage\[0\]\.of` must be as a condition has it/,
    ],
  ] as const) {
    const { code, output } = await run('test', path)
    assert.equal(code, 1, output)
    assert.match(output, expected)
    assert.doesNotMatch(output, /\n {4}at /)
  }
  // A name gives the terminal no orders, and makes no line of the command.
  const named = changed((file) => Object.assign(first(file), { name: 'x\u009b2J\u202e\nok      all' }))
  const { output } = await run('test', named)
  assert.match(output, /^ok {6}x\\u\{9b\}2J\\u\{202e\}\\nok {6}all$/m)
  const missing = await run('lint', '/nowhere/at/all.json')
  assert.match(missing.output, /nowhere\/at\/all\.json: there is no such file or folder/)
  assert.match((await run('lint')).output, /takes one file/)
})
