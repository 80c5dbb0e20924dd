import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A label, what is filled in, and a hint that screen readers read with it. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint?: string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-describedby'?: string
  }) => ComponentChildren
}) {
  const id = useId()
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...described })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
