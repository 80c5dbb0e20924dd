import type { Ms } from '../base/world.ts'
import type { TextMessage } from '../catalogue/message.ts'
import { defineKind, place, type Placed } from '../catalogue/objects.ts'
import { EVENT_KEPT_MS } from './email-event.ts'

/** The record that a text message was queued for sending, in the unit of the activity that requested it. */
export type TextEvent = {
  /** Of the job. */
  readonly jobId: string
  /** E.164. */
  readonly to: string
  readonly at: Ms
}

/** There is no look-up by number: they are listed by time only. */
export const textEvents = defineKind<TextEvent>({
  kind: 'text_event',
  expiresAt: ({ at }) => at + EVENT_KEPT_MS,
})

export function placeTextEvent({ to }: TextMessage, jobId: string, at: Ms): Placed {
  return place(textEvents, jobId, { jobId, to, at })
}
