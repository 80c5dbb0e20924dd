import type { ComponentType } from 'preact'
import type { Session } from '../session/session.ts'
import type { say } from './words.ts'

/** A screen for those who have signed in. */
export type Screen = {
  /** The first part of its address, by which its name stands in the words: `activities` is at `#/activities`. */
  readonly path: Parameters<typeof say>[0]
  /** The component shows a heading of the first level. */
  readonly load: () => Promise<ComponentType<ScreenProps>>
}

/** @param rest  what follows the path in the address */
export type ScreenProps = { readonly session: Session; readonly rest: readonly string[] }
