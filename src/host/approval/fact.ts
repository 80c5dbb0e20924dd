/** One fact in the bytes of a request. A fact never comes from the host. */
export type Fact = {
  readonly label: string
  /** Ready for display: it contains no invisible characters and none that change the direction of text. */
  readonly value: string
  readonly tone?: 'danger' | 'unknowable'
  /** The text for looking up a name, for example an address. */
  readonly nameable?: string
}

/** The effect of a part of a request. */
export type Reading = {
  /** One plain sentence, derived only from the bytes. */
  readonly sentence: string
  readonly facts: readonly Fact[]
  /** Warnings for an approver. */
  readonly dangers: readonly string[]
  /** The unknowns in the bytes. With any of these the request is not readable. */
  readonly unknowable: readonly string[]
  /** Whether the sentence is complete: its omissions neither move assets nor permit anyone to do so. */
  readonly isTold?: boolean
}

export function reading(sentence: string, more: Partial<Omit<Reading, 'sentence'>> = {}): Reading {
  return { sentence, facts: [], dangers: [], unknowable: [], ...more }
}

export function fact(label: string, value: string, more: Omit<Fact, 'label' | 'value'> = {}): Fact {
  return { label, value, ...more }
}
