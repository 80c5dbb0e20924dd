import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentedPolicies } from '../support/documented-policies.ts'
import { projectFolder } from '../support/running-service.ts'

/** The conditions of policies that allow, on pages and in examples, and the programs that write one. */
function allowing(): readonly string[] {
  const pages = documentedPolicies().flatMap(({ effect, condition }) =>
    effect === 'EFFECT_ALLOW' ? [condition] : [],
  )
  const programs = ['examples/*.js', 'docs/tutorials/*.md', 'src/host/emulator/treasury.ts']
  const texts = globSync(programs, { cwd: projectFolder }).map((path) =>
    readFileSync(`${projectFolder}/${path}`, 'utf8'),
  )
  return [...pages, ...texts]
}

/**
 * A transfer of tokens is a call with the value 0, a fee can be as large as the balance, blobs have a fee of their own,
 * and what names no chain is good on every one. `recipes.test.ts` decides such payments by the recipes.
 */
const BOUNDS = [
  'eth.tx.chain_id == ',
  "eth.tx.type in ['LEGACY', 'TYPE_1', 'TYPE_2']",
  "eth.tx.to != ''",
  "eth.tx.data == '0x'",
  'eth.tx.gas <= ',
  'eth.tx.gas_price <= ',
]

test('a policy of an example that bounds a payment lets plain payments through, with a bounded fee', () => {
  const bounding = allowing().filter((text) => /\beth\.tx\.value <=? [\d$]/.test(text))
  assert.equal(bounding.length, 5)
  for (const text of bounding)
    assert.deepEqual(
      BOUNDS.filter((bound) => !text.includes(bound)),
      [],
      text,
    )
})
