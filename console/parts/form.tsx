import type { ComponentChildren } from 'preact'

type Sending = {
  readonly class?: string
  readonly onSubmit: () => void
  readonly children: ComponentChildren
}

/** What is in it is sent by its button, or by the enter key. */
export function Form({ onSubmit, children, ...attributes }: Sending) {
  return (
    <form
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** A form that is folded away until somebody wants it. */
export function FoldedForm({ title, ...form }: Sending & { readonly title: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <Form {...form} />
    </details>
  )
}
