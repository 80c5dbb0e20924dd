/** One thing that the bytes of a request say. A fact never comes from the host. */
export type Fact = {
  readonly label: string
  /** Ready to be shown: nothing in it is invisible or turns the text around it. */
  readonly value: string
  readonly tone?: 'danger' | 'unknowable'
  /** The text by which a name may be looked up, for example an address. */
  readonly nameable?: string
}

/** What a part of a request does. */
export type Reading = {
  /** One plain sentence, made of nothing but the bytes. */
  readonly sentence: string
  readonly facts: readonly Fact[]
  /** What a person should stop at before they approve. */
  readonly dangers: readonly string[]
  /** What nobody can know from the bytes. With any of these the request is not readable. */
  readonly unknowable: readonly string[]
  /** Whether the sentence says all that counts: what it leaves out neither moves anything nor lets anybody do so. */
  readonly isTold?: boolean
}

export function reading(sentence: string, more: Partial<Omit<Reading, 'sentence'>> = {}): Reading {
  return { sentence, facts: [], dangers: [], unknowable: [], ...more }
}

export function fact(label: string, value: string, more: Omit<Fact, 'label' | 'value'> = {}): Fact {
  return { label, value, ...more }
}
