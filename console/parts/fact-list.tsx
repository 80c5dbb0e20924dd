import type { ComponentChildren } from 'preact'
import type { Fact } from '../../src/host/approval/fact.ts'

/** What the bytes of a request say, one value below the other. */
export function FactList({
  of,
  beside,
}: {
  readonly of: readonly Fact[]
  /** What somebody else says of a value: it stands beside it, and never in its place. */
  readonly beside?: (fact: Fact) => ComponentChildren
}) {
  return (
    <dl class="request">
      {of.flatMap((fact, at) => [
        <dt key={at} lang="en">
          {fact.label}
        </dt>,
        <dd key={`${at}:`} class={fact.tone}>
          <span class="value" lang="en">
            {fact.value}
          </span>
          {beside?.(fact)}
        </dd>,
      ])}
    </dl>
  )
}
