import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { exampleFingerprint, neverCarriedOut, noResult, voteParams } from './vote.ts'

export const approveActivity = defineActivity({
  operation: 'approve_activity',
  summary: 'Approve an activity that waits for more approvals',
  forms: form('ACTIVITY_TYPE_APPROVE_ACTIVITY', voteParams, {
    key: 'approveActivityResult',
    shape: noResult,
  }),
  resource: 'ACTIVITY',
  action: 'VOTE',
  authority: { kind: 'policies' },
  // It may settle an activity that amends.
  amends: true,
  attestable: true,
  vote: { selection: 'VOTE_SELECTION_APPROVED', fingerprint: ({ fingerprint }) => fingerprint },
  fails: [],
  example: { intent: { fingerprint: exampleFingerprint }, result: {} },
  execute: neverCarriedOut,
})
