import { jsonIn } from './json-in.ts'

/** JSON values from a stream of lines. A writer that was killed half-way spoils its own line and not the next: each begins with a line end. */
export class JsonLines {
  #rest = ''
  readonly #charactersMax: number

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  static written(value: object): string {
    return `\n${JSON.stringify(value)}\n`
  }

  /** What has come whole. A line that is too long, or that is no JSON, is `undefined`. */
  push(chunk: string): readonly unknown[] {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, this.#charactersMax + 1)
    return lines.filter((line) => line !== '').map((line) => this.#parsed(line))
  }

  #parsed(line: string): unknown {
    return line.length > this.#charactersMax ? undefined : jsonIn(line)
  }
}
