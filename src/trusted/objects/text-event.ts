import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import type { TextMessage } from '../catalogue/message.ts'
import { claimsNothing, type ObjectKind, type Placed, place } from '../catalogue/objects.ts'
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
export const textEvents: ObjectKind<TextEvent> = {
  kind: 'text_event',
  ...claimsNothing('a text event'),
  entries: () => [],
  expiresAt: ({ at }) => at + EVENT_KEPT_MS,
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as TextEvent,
}

export function placeTextEvent({ to }: TextMessage, jobId: string, at: Ms): Placed {
  return place(textEvents, jobId, { jobId, to, at }, new Secret(new Uint8Array(0)))
}
