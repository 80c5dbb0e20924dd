import { defineFailure, RESOURCE_EXHAUSTED } from '../../../trusted/base/failure.ts'

export const tooManyStreams = defineFailure<{ readonly whose: string; readonly max: number }>({
  kind: 'tooManyStreams',
  code: RESOURCE_EXHAUSTED,
  say: ({ whose, max }) =>
    `too many streams of changes are open: ${whose} may have ${max} at a time; close one, or ask with queries`,
})
