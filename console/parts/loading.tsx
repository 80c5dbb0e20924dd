import type { ComponentChildren } from 'preact'
import { Problem } from './problem.tsx'
import type { Loaded } from './use-loaded.ts'
import { say } from './words.ts'

/**
 * What was loaded, or that it is being loaded, or why it was not; above what was loaded before, why it is not what
 * stands now.
 */
export function Loading<T>({
  of: { state, again },
  children,
}: {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}) {
  if (state.kind === 'failed') return <Problem error={state.error} again={again} />
  if (state.kind === 'loading')
    return (
      <p class="busy" role="status">
        {say('loading')}
      </p>
    )
  return (
    <>
      {state.error !== undefined && <Problem error={state.error} again={again} />}
      {children(state.value)}
    </>
  )
}
