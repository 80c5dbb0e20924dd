/** The number of objects made, by label: how many from the first on, and those made out of order. */
export type OrdinalsState = readonly (readonly [label: string, made: number, outOfTurn: readonly number[]])[]

type Counted = { made: number; readonly later: Map<number, 'taken' | 'made'> }

/**
 * Numbers objects of a label from 0 on. A number is taken during a decision, and is free again if the decision has no
 * effect. So requests that are refused, rehearsed or decided twice change no number.
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

  /** The numbers of existing objects; those of decisions under way count as free. */
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
