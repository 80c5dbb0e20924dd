import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { int32, list, object, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { checkQuorum, quorumFailures, withRootQuorum } from '../../charter/quorum.ts'
import { checkQuorumWayIn, userWithoutCredential } from '../../charter/ways-in.ts'

export const updateRootQuorum = defineActivity({
  operation: 'update_root_quorum',
  summary: 'Replace the root quorum: its users, and how many of them must approve',
  forms: form(
    'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
    object({ threshold: int32, userIds: list(uuid, { max: limits.users }) }),
    { key: 'updateRootQuorumResult', shape: object({}) },
  ),
  resource: 'ORGANIZATION',
  action: 'UPDATE',
  authority: { kind: 'rootQuorum' },
  amends: true,
  fails: [...quorumFailures, userWithoutCredential],
  example: {
    intent: {
      threshold: 2,
      userIds: [
        '0198c5a0-7d3c-7000-8000-000000000001',
        '0198c5a0-7d3c-7000-8000-000000000002',
        '0198c5a0-7d3c-7000-8000-000000000003',
      ],
    },
    result: {},
  },
  validate: (intent) => checkQuorum(intent),

  execute({ intent, charter, now }) {
    const amended = withRootQuorum(charter, intent)
    checkQuorumWayIn(charter, amended, now)
    return { result: {}, charter: amended }
  },
})
