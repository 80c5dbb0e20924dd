import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { activities } from '../../activities/list.ts'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { Secret } from '../../base/secret.ts'
import { policyVocabulary } from '../../catalogue/vocabulary.ts'
import { openKeyring } from '../keys/keyring.ts'
import { openCharter } from '../seals/seals.ts'
import { type CompiledCharter, compileCharter } from './compiled-charter.ts'

test('a policy that names controls is charged with what they stand for, and again only where controls have changed', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, organizationId } = service
  const activity = activities
    .slice(0, 20)
    .flatMap(({ forms: [oldest] }) => (oldest === undefined ? [] : [{ activityType: oldest.type }]))
  const control = (identifier: string) => ({
    name: identifier,
    identifier,
    dataSource: { activityExecution: { filter: { activity } } },
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
      threshold: '1',
      window: { rolling: { duration: '3600' } },
      groupBy: { organization: {} },
    },
  })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', control('much'))
  const conditions = [Array(8).fill('controls.much').join(' && '), `'${'x'.repeat(5_000)}' == ''`]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICIES', {
    policies: conditions.map((condition, at) => ({
      policyName: `P${at}`,
      effect: 'EFFECT_DENY',
      condition,
      notes: '',
    })),
  })
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const charter = async () => openCharter(keyring, present(await store.charter(organizationId), 'it'))
  const before = await charter()
  const first = charged(before)
  // At least eight letters each.
  const named = 8 * 20 * 8
  assert.ok(first.characters > named + 5_000, `${first.characters}`)

  await service.done(root, 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', control('more'))
  const after = charged(await charter(), first.compiled)
  assert.ok(after.characters > named && after.characters < first.characters - 5_000, `${after.characters}`)
  assert.equal(charged(before, first.compiled).characters, 0)
})

function charged(charter: CompiledCharter['charter'], earlier?: CompiledCharter) {
  const steps = compileCharter(
    charter,
    policyVocabulary(activities),
    earlier === undefined ? {} : { earlier },
  )
  let units = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) units += step.value
  return { characters: units / costs.expressionCharacter, compiled: step.value }
}
