/** Sentences of the readers that a person is to stop at, under a title; nothing where there are none. */
export function Noted({
  title,
  of,
  tone,
}: {
  readonly title: string
  readonly of: readonly string[]
  readonly tone: 'bad' | 'warn'
}) {
  if (of.length === 0) return null
  return (
    <section class={`note ${tone}`} aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {of.map((text) => (
          <li key={text} lang="en">
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}
