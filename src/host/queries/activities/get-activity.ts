import { JsonText } from '../../../trusted/catalogue/json-text.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { activityShape } from './activity-shape.ts'
import { knownActivity } from './known-activity.ts'

export const getActivity = defineQuery({
  operation: 'get_activity',
  summary: 'Get an activity in its current state',
  request: object({ organizationId: organizationIdText, activityId: uuid }),
  response: object({ activity: activityShape }),
  example: { activityId: '0198c5a0-7d3c-7000-8000-000000000009' },
  long: 'record',
  // A published client that has no session yet asks its parent what became of its login.
  findsSubOrganization: true,
  attestable: true,
  answer: async ({ activityId }, reader) =>
    new JsonText(`{"activity":${reader.view(await knownActivity(reader, activityId))}}`),
})
