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

/** Ways in which a payment that looks small gives away more, or elsewhere. */
const DEARER: readonly (readonly [string, object])[] = [
  ['a fee of 30 ETH', { gas: 30_000, gas_price: '1000000000000000' }],
  ['much gas', { gas: 3_000_000 }],
  ['blobs', { type: 'TYPE_3', max_fee_per_blob_gas: '1000000000000000000' }],
  ['authorizations of others', { type: 'TYPE_4' }],
  ['a new contract', { to: '' }],
  ['a call', { data: '0xa9059cbb' }],
  ['another chain', { chain_id: 137 }],
  ['every chain', { chain_id: undefined }],
]

for (const { name, text } of recipes.filter((recipe) => recipe.text.includes("eth.tx.data == '0x'")))
  test(`${name} lets one user make plain payments alone, with a bounded fee, on one chain`, () => {
    const recipe = JSON.parse(text)
    const allowed = Object(recipe.cases.find((item: { expect: string }) => item.expect === 'allow'))
    const tried = ([what, of]: readonly [string, object]) => {
      const facts = { ...allowed.facts, eth: { tx: { ...allowed.facts.eth.tx, ...of } } }
      const cases = JSON.parse(JSON.stringify([{ ...allowed, facts }]))
      const file = testFileShape.read({ ...recipe, cases }, '', 'strict')
      return testsOf(file, policiesIn(recipe, 'policies'), realWorld.now()).map((one) => [
        what,
        runPolicyTest(one).decision === 'allow',
      ])
    }
    assert.deepEqual(tried(['nothing', {}]), [['nothing', true]])
    assert.deepEqual(
      DEARER.flatMap(tried),
      DEARER.map(([what]) => [what, false]),
    )
  })
