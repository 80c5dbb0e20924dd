import { jsonIn } from './json-in.ts'

/**
 * Parses JSON values from a stream of lines. Each line begins with a line end, so that a writer killed halfway corrupts
 * its own line only.
 */
export class JsonLines {
  #rest = ''
  readonly #charactersMax: number

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  static written(value: object): string {
    return `\n${JSON.stringify(value)}\n`
  }

  /** The values of the lines that are complete. A line that is too long, or is not JSON, gives `undefined`. */
  push(chunk: string): readonly unknown[] {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, this.#charactersMax + 1)
    return lines.filter((line) => line !== '').map((line) => this.#parsed(line))
  }

  #parsed(line: string): unknown {
    return line.length > this.#charactersMax ? undefined : jsonIn(line)
  }
}
