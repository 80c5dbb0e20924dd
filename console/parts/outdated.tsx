import { Problem } from './problem.tsx'
import type { useCurrent } from './use-current.ts'

/** Why a change of a whole was not sent; nothing where it was. */
export function Outdated({
  of: { error, isOutdated },
  text,
}: {
  readonly of: ReturnType<typeof useCurrent>
  readonly text: string
}) {
  if (error !== undefined) return <Problem error={error} />
  return isOutdated ? (
    <p class="note bad" role="alert">
      {text}
    </p>
  ) : null
}
