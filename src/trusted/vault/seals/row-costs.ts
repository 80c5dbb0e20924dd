import { costs } from '../../base/costs.ts'
import type { Units } from '../../base/work.ts'
import type { ActivityRow, ObjectRow } from '../../catalogue/unit.ts'

/** The cost of opening a charter, or of looking up one whose body was left out. */
export function costOfCharter({ body = '' }: { readonly body?: string | undefined }): Units {
  return costs.row + body.length * costs.charterCharacter
}

/** The cost of verifying a record. */
export function costOfRecord({ intent, votes }: Pick<ActivityRow, 'intent' | 'votes'>): Units {
  return costs.row + (intent.length + votes.length) * costs.rowCharacter
}

/** The cost of opening or sealing an object. */
export function costOfObject({ body }: Pick<ObjectRow, 'body'>): Units {
  return costs.row + body.length * costs.rowCharacter
}
