import type { Loaded } from './use-loaded.ts'
import { say } from './words.ts'

/** Looks once more at what changes by itself. */
export function Again({ of: { again } }: { readonly of: Pick<Loaded<unknown>, 'again'> }) {
  return (
    <button type="button" onClick={again}>
      {say('lookAgain')}
    </button>
  )
}
