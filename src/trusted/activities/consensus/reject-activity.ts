import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { exampleFingerprint, neverCarriedOut, noResult, voteParams } from './vote.ts'

export const rejectActivity = defineActivity({
  operation: 'reject_activity',
  summary: 'Reject an activity that waits for more approvals; this is final',
  forms: form('ACTIVITY_TYPE_REJECT_ACTIVITY', voteParams, { key: 'rejectActivityResult', shape: noResult }),
  resource: 'ACTIVITY',
  action: 'VOTE',
  authority: { kind: 'policies' },
  // It may settle an activity that amends.
  amends: true,
  attestable: true,
  vote: { selection: 'VOTE_SELECTION_REJECTED', fingerprint: ({ fingerprint }) => fingerprint },
  fails: [],
  example: { intent: { fingerprint: exampleFingerprint }, result: {} },
  execute: neverCarriedOut,
})
