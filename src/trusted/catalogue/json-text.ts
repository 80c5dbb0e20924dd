/** JSON that is text already: it is answered as it is, neither parsed nor written out again. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
