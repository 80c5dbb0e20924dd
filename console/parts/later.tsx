import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from './loading.tsx'
import { useLoaded } from './use-loaded.ts'

type LaterProps<T> = {
  readonly title: string
  readonly load: () => Promise<T>
  readonly children: (loaded: T) => ComponentChildren
}

/** Something that is folded away, and whose code is loaded once somebody unfolds it. */
export function Later<T>({ title, ...folded }: LaterProps<T>) {
  const [isWanted, setWanted] = useState(false)
  return (
    <details onToggle={() => setWanted(true)}>
      <summary>{title}</summary>
      {isWanted && <Unfolded {...folded} />}
    </details>
  )
}

function Unfolded<T>({ load, children }: Omit<LaterProps<T>, 'title'>) {
  return <Loading of={useLoaded(load, [])}>{children}</Loading>
}
