import type { ErrorBody } from '../../trusted/base/failure.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { activityView } from '../../trusted/vault/records/activity-view.ts'
import type { Host } from './host.ts'

/** An answer ready to be sent: the JSON text of a success, or an error. */
export type Reply =
  | { readonly kind: 'ok'; readonly body: string }
  | {
      readonly kind: 'error'
      readonly error: ErrorBody
      readonly headers?: Readonly<Record<string, string>>
    }

/** The answer for a record: the activity in its present state, or the error that it represents. */
export function replyOf(
  { world }: Pick<Host, 'world'>,
  decision: { readonly userId: string; readonly error?: ErrorBody; readonly answer?: string },
  row: ActivityRow,
): Reply {
  const { error, answer: result = row.result } = decision
  if (error !== undefined) return { kind: 'error', error }
  return {
    kind: 'ok',
    body: `{"activity":${activityView({ ...row, result }, decision.userId, world.now())}}`,
  }
}
