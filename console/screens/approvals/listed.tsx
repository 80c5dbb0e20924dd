import type { ComponentChildren } from 'preact'

/** Some below each other; undefined where there are none. */
export function listed(items: readonly ComponentChildren[]) {
  if (items.length === 0) return undefined
  return (
    <ul class="plain">
      {items.map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  )
}
