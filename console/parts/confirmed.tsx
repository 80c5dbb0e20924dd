import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { say } from './words.ts'

type Asking = {
  readonly label: string
  readonly isBusy: boolean
  readonly onConfirmed: () => void
  /** What has to be known before. */
  readonly children: ComponentChildren
}

/** A button for what cannot be taken back: it asks once more, and says what happens. */
export function Confirmed({ label, isBusy, onConfirmed, children }: Asking) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button type="button" class="danger" disabled={isBusy} onClick={() => setAsking(true)}>
        {label}
      </button>
    )
  return (
    <div class="note warn" role="alert">
      {children}
      <div class="row">
        <button
          type="button"
          class="danger"
          onClick={() => {
            setAsking(false)
            onConfirmed()
          }}
        >
          {say('really', { what: label })}
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          {say('cancel')}
        </button>
      </div>
    </div>
  )
}
