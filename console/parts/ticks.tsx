import { Name } from './name.tsx'

/** Several of what there is, each ticked or not. */
export function Ticks({
  legend,
  of,
  ticked,
  onTicked,
}: {
  readonly legend: string
  readonly of: readonly { readonly id: string; readonly name: string }[]
  readonly ticked: readonly string[]
  readonly onTicked: (ids: readonly string[]) => void
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {of.map(({ id, name }) => {
        const others = ticked.filter((one) => one !== id)
        return (
          <label key={id} class="tick">
            <input
              type="checkbox"
              checked={others.length < ticked.length}
              onChange={(event) => onTicked(event.currentTarget.checked ? [...others, id] : others)}
            />{' '}
            <Name of={name} id={id} />
          </label>
        )
      })}
    </fieldset>
  )
}
