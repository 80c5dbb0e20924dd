/** A text that is compared without regard to the case of ASCII letters, for example an Ethereum address. */
export class Caseless {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The text with its own case; only comparisons fold it. */
  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }
}

export function caseless(text: string): Caseless {
  return new Caseless(text)
}
