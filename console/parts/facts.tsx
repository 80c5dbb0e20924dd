import type { ComponentChildren } from 'preact'

/** Names and what they are, one below the other; a name without anything is left out. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[]
}) {
  const there = of.filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return (
    <dl>
      {there.flatMap(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
    </dl>
  )
}
