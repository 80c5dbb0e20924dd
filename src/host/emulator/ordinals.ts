/** How often each thing has been made: by label, how many from the first on, and those made out of turn. */
export type OrdinalsState = readonly (readonly [label: string, made: number, outOfTurn: readonly number[]])[]

type Counted = { made: number; readonly later: Map<number, 'taken' | 'made'> }

/**
 * Numbers things of a label from 0 on. A number is taken while it is decided, and is free again for the next where
 * nothing came of it: what is refused, tried or decided twice moves no number.
 */
export class Ordinals {
  readonly #counted: Map<string, Counted>

  constructor(state: OrdinalsState = []) {
    this.#counted = new Map(
      state.map(([label, made, outOfTurn]) => {
        const later = new Map(outOfTurn.map((ordinal) => [ordinal, 'made'] as const))
        return [label, { made, later }]
      }),
    )
  }

  take(label: string): number {
    const counted = this.#counted.get(label) ?? { made: 0, later: new Map() }
    this.#counted.set(label, counted)
    let ordinal = counted.made
    while (counted.later.has(ordinal)) ordinal++
    counted.later.set(ordinal, 'taken')
    return ordinal
  }

  made(label: string, ordinal: number): void {
    const counted = this.#counted.get(label)
    if (counted === undefined) return
    counted.later.set(ordinal, 'made')
    while (counted.later.get(counted.made) === 'made') {
      counted.later.delete(counted.made)
      counted.made++
    }
  }

  free(label: string, ordinal: number): void {
    this.#counted.get(label)?.later.delete(ordinal)
  }

  /** Of what was made; what is under way counts as free. */
  state(): OrdinalsState {
    return [...this.#counted]
      .map(([label, { made, later }]) => {
        const outOfTurn = [...later].filter(([, is]) => is === 'made').map(([ordinal]) => ordinal)
        return [label, made, outOfTurn.toSorted((a, b) => a - b)] as const
      })
      .filter(([, made, outOfTurn]) => made > 0 || outOfTurn.length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  }
}
