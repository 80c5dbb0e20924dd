import { printable, printableJson } from '../policies/printable.ts'

/** The output of a command: one JSON object at its end, or lines. */
export type Out = { readonly isJson: boolean }

/** The command was carried out in part, and waits for the operator: the lines give the reason. */
export const WAITS = 3

/** Each on one line, regardless of texts from a database, a host or a person. */
export function say({ isJson }: Out, lines: readonly string[]): void {
  if (!isJson) process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''))
}

export function sayJson({ isJson }: Out, told: object): void {
  if (isJson) process.stdout.write(`${printableJson(told, 2)}\n`)
}

/** Progress of long work, unless a program reads the output: it goes to standard error. */
export function sayProgress(line: string): void {
  process.stderr.write(`${printable(line)}\n`)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
