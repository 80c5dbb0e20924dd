import { useEffect, useState } from 'preact/hooks'
import { say } from './words.ts'

/** Which page of a long list is shown: the service knows a page by what stands before it. */
type Place = {
  /** As the query takes it: nothing for the first page. */
  readonly after: { readonly after?: string }
  /** Where each page up to this one begins. */
  readonly places: readonly string[]
  readonly turn: (places: readonly string[]) => void
}

/** @param list  which list it is, such as its filter: a place in one is none in another, which begins at its first page */
export function usePlace(list = ''): Place {
  const [turned, setTurned] = useState<{ list: string; places: readonly string[] }>({ list, places: [] })
  const places = turned.list === list ? turned.places : []
  // A list that is come back to begins at its first page too.
  useEffect(() => setTurned({ list, places }), [list])
  const last = places.at(-1)
  return {
    after: last === undefined ? {} : { after: last },
    places,
    turn: (next) => setTurned({ list, places: next }),
  }
}

/**
 * To the page before and to the page after. Each stays where it is, also where there is none, so that no second press of one is a press
 * of the other.
 *
 * @param next  what the service calls the page after
 */
export function PageTurner({
  place: { places, turn },
  next,
}: {
  readonly place: Place
  readonly next: string
}) {
  if (places.length === 0 && next === '') return null
  // Until the page that was turned to has come, what is shown ends where that one begins.
  const isUnderWay = places.at(-1) === next
  const button = (label: string, isThere: boolean, to: readonly string[]) => (
    <button type="button" aria-disabled={!isThere} onClick={() => isThere && turn(to)}>
      {label}
    </button>
  )
  return (
    <>
      {button(say('pageBefore'), places.length > 0, places.slice(0, -1))}
      {button(say('pageAfter'), next !== '' && !isUnderWay, [...places, next])}
    </>
  )
}
