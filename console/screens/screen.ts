import type { ComponentType } from 'preact'
import type { Session } from '../session/session.ts'

/** A screen for those who have signed in. */
export type Screen = {
  /** The first part of its address: `activities` is at `#/activities`. */
  readonly path: string
  readonly title: () => string
  /** The component shows a heading of the first level. `rest` is what follows the path in the address. */
  readonly View: ComponentType<ScreenProps>
}

export type ScreenProps = { readonly session: Session; readonly rest: readonly string[] }
