import { present } from '../../../trusted/base/assert.ts'
import { failureOf } from '../../../trusted/base/failure.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownActivity } from '../activities/known-activity.ts'
import { pastCase, requestMissing } from './past-case.ts'
import { judgementShape, judgementView } from './shapes.ts'

export const explained = object({ judgement: judgementShape })

/** With the current policies and keys, at the instant of the last approval. */
export const explainActivity = defineQuery({
  operation: 'explain_activity',
  ours: true,
  summary: 'Explain why an activity was allowed or refused, policy by policy',
  request: object({ organizationId: organizationIdText, activityId: uuid }),
  response: explained,
  example: { activityId: '0198c5a0-7d3c-7000-8000-000000000009' },
  // It judges the record again, and must hold up nobody who only reads one.
  long: 'answer',
  answer: async ({ activityId }, reader) => {
    const row = await knownActivity(reader, activityId)
    const missing = requestMissing(row)
    if (missing !== undefined) throw missing
    const { cases } = await reader.rehearse({ cases: [pastCase(row)], explain: true, usage: 'metered' })
    const item = present(cases[0], 'the judgement of one request')
    if (item.kind === 'unclear') throw failureOf(item.error)
    return { judgement: judgementView(item.judgement) }
  },
})
