import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentedPolicies } from '../support/documented-policies.ts'
import { projectFolder } from '../support/running-service.ts'

/** The conditions of policies that allow, on pages and in examples, with the lines of programs that write one. */
function allowing(): readonly string[] {
  const pages = documentedPolicies().flatMap(({ effect, condition }) =>
    effect === 'EFFECT_ALLOW' ? [condition] : [],
  )
  const programs = globSync('examples/*.js', { cwd: projectFolder }).flatMap((path) =>
    readFileSync(`${projectFolder}/${path}`, 'utf8').split('\n'),
  )
  return [...pages, ...programs.filter((line) => line.includes('condition: '))]
}

test('a policy of an example that bounds a payment does not let tokens through, whose transfer has the value 0', () => {
  const bounding = allowing().filter((condition) => /\beth\.tx\.value <=? \d/.test(condition))
  assert.equal(bounding.length, 3)
  for (const condition of bounding) assert.match(condition, /\beth\.tx\.data == '0x'/)
})
