import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { deliberate } from './deliberate.ts'
import { say } from './words.ts'

type Asking = {
  readonly label: string
  readonly isBusy: boolean
  readonly onConfirmed: () => void
  /** The service refuses it as things stand: what is in it says why, and no button sends it. */
  readonly isRefused?: boolean
  /** What has to be known before. */
  readonly children: ComponentChildren
}

/** A button for what cannot be taken back: it asks once more, and says what happens. */
export function Confirmed({ label, isBusy, onConfirmed, isRefused = false, children }: Asking) {
  const [isAsking, setAsking] = useState(false)
  const asked = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isCancelled = useRef(false)
  // The question has the focus, and the button once it was cancelled; before another key is pressed.
  useLayoutEffect(() => {
    asked.current?.focus()
    if (isCancelled.current) button.current?.focus()
    isCancelled.current = false
  }, [isAsking])
  const cancel = (): void => {
    isCancelled.current = true
    setAsking(false)
  }
  if (!isAsking)
    return (
      <button ref={button} type="button" class="danger" disabled={isBusy} onClick={() => setAsking(true)}>
        {label}
      </button>
    )
  return (
    <div
      ref={asked}
      class="note warn"
      role="alertdialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && cancel()}
    >
      {children}
      <div class="row">
        {!isRefused && (
          <button
            type="button"
            class="danger"
            onClick={deliberate(() => {
              setAsking(false)
              onConfirmed()
            })}
          >
            {say('really', { what: label })}
          </button>
        )}
        <button type="button" onClick={cancel}>
          {say('cancel')}
        </button>
      </div>
    </div>
  )
}
