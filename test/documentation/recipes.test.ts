import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { policiesIn } from '../../src/host/cli/policies/policies-in.ts'
import { readJsonFile } from '../../src/host/cli/policies/read-json-file.ts'
import { testFileShape } from '../../src/host/cli/policies/test-file.ts'
import { testsOf } from '../../src/host/cli/policies/tests-of.ts'
import { abstractRequestsOf } from '../../src/trusted/activities/abstract-requests.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import { policyVocabulary } from '../../src/trusted/catalogue/vocabulary.ts'
import { lintPolicies } from '../../src/trusted/policy/lint.ts'
import { runPolicyTest } from '../../src/trusted/policy/policy-tests.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'
import { blocksOf } from './running/blocks.ts'

// What `claviger policies lint` and `test` do with each recipe, all of them in one process.
const page = readFileSync(join(projectFolder, 'docs', 'how-to', 'policies.md'), 'utf8')
const recipes = blocksOf(page).flatMap(({ is, text }) =>
  is.kind === 'file' && is.name.startsWith('recipes/') ? [{ name: basename(is.name), text }] : [],
)
const folder = join(temporaryFolder(), 'recipes')
mkdirSync(folder)
const lintWith = {
  vocabulary: policyVocabulary(activities),
  abstractRequests: abstractRequestsOf(activities),
  now: realWorld.now(),
  rawSigningGuard: false,
}

test('the cookbook has twenty recipes, each with a case that is allowed and one that is not', () => {
  assert.equal(recipes.length, 20)
  for (const { name, text } of recipes) {
    const { cases } = JSON.parse(text) as { readonly cases: readonly { readonly expect: string }[] }
    assert.ok(
      cases.some(({ expect }) => expect === 'allow'),
      name,
    )
    assert.ok(
      cases.some(({ expect }) => expect !== 'allow'),
      name,
    )
  }
})

for (const { name, text } of recipes)
  test(`the lint finds nothing in ${name}, and each of its cases is decided as it says`, () => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const json = readJsonFile(path)
    const file = testFileShape.read(json, '', 'strict')
    const policies = policiesIn(json, 'policies')
    assert.deepEqual(lintPolicies(policies, lintWith), [])
    for (const result of testsOf(file, policies, realWorld.now()).map(runPolicyTest))
      assert.ok(result.passed, `${result.name}: ${result.decision}`)
  })
