import { printable } from '../policies/printable.ts'

/** How a command tells what it did: one JSON object at its end, or lines. */
export type Out = { readonly isJson: boolean }

/** What was asked for was done in part, and waits for the operator: the lines say for what. */
export const WAITS = 3

/** Each on one line, whatever a database, a host or a person has put into it. */
export function say({ isJson }: Out, lines: readonly string[]): void {
  if (!isJson) process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''))
}

export function sayJson({ isJson }: Out, told: object): void {
  if (isJson) process.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`)
}

/** Of what takes long, where nobody reads the output by program: it goes beside it. */
export function sayProgress(line: string): void {
  process.stderr.write(`${printable(line)}\n`)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
