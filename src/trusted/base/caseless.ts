/** A text that is equal to another when they differ in nothing but the case of ASCII letters: an address of Ethereum, for instance. */
export class Caseless {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** As it is shown; comparing folds it. */
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
