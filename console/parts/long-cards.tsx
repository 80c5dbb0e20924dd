import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Cards } from './cards.tsx'
import { More } from './more.tsx'

const SHOWN_AT_ONCE = 50

/** Cards of a list that the service answers whole: so many at once, and more of them where somebody asks. */
export function LongCards<T>({
  of,
  none,
  children,
}: {
  readonly of: readonly T[]
  readonly none: string
  /** Gives an item of the list, with its key. */
  readonly children: (one: T) => ComponentChildren
}) {
  const [count, setCount] = useState(SHOWN_AT_ONCE)
  return (
    <>
      <Cards of={of.slice(0, count)} none={none}>
        {children}
      </Cards>
      <More isThere={count < of.length} onMore={() => setCount(count + SHOWN_AT_ONCE)} />
    </>
  )
}
