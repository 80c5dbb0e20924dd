import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

/** Whether a secret was ever outside: somebody else may have a copy. */
export function Origin({ of }: { readonly of: Answered }) {
  return (
    <span>
      {of.flag('exported') && <span class="badge warn">{say('exported')}</span>}{' '}
      {of.flag('imported') && <span class="badge warn">{say('imported')}</span>}
    </span>
  )
}
