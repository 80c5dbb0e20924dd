import { useState } from 'preact/hooks'
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
  const last = places.at(-1)
  return {
    after: last === undefined ? {} : { after: last },
    places,
    turn: (next) => setTurned({ list, places: next }),
  }
}

/** The page before and the page after, as far as there are such. @param next  what the service calls the page after */
export function PageTurner({
  place: { places, turn },
  next,
}: {
  readonly place: Place
  readonly next: string
}) {
  return (
    <>
      {places.length > 0 && (
        <button type="button" onClick={() => turn(places.slice(0, -1))}>
          {say('pageBefore')}
        </button>
      )}
      {next !== '' && (
        <button type="button" onClick={() => turn([...places, next])}>
          {say('pageAfter')}
        </button>
      )}
    </>
  )
}
