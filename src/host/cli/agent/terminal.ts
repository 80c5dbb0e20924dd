import { realWorld } from '../../../trusted/base/real-world.ts'
import type { World } from '../../../trusted/base/world.ts'

/** What a command of agents has of the machine that it runs on. */
export type Terminal = World & {
  readonly write: (text: string) => void
  /** The result as an object, for a program that reads it; nobody asks for it unless with `--json`. */
  readonly tell: (told: object) => void
  /** Whether somebody says yes; undefined where nobody can be asked. */
  readonly confirms: ((question: string) => Promise<boolean>) | undefined
  /** Where key files are written. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
}

export function processTerminal(): Terminal {
  return {
    ...realWorld,
    write: (text) => process.stdout.write(text),
    tell: () => undefined,
    confirms: process.stdin.isTTY ? confirms : undefined,
    folder: process.cwd(),
    environment: process.env,
  }
}

/** With `--json`: one object at the end in the place of lines, and nobody who could be asked. */
export function forPrograms(terminal: Terminal): Terminal {
  return {
    ...terminal,
    write: () => undefined,
    tell: (told) => terminal.write(`${JSON.stringify(told, undefined, 2)}\n`),
    confirms: undefined,
  }
}

async function confirms(question: string): Promise<boolean> {
  process.stdout.write(`${question} (y/N) `)
  const answer = await new Promise<string>((resolve) => {
    process.stdin.once('data', (typed: Buffer) => resolve(typed.toString('utf8')))
    process.stdin.once('end', () => resolve(''))
  })
  process.stdin.pause()
  return /^y(es)?\r?\n?$/i.test(answer)
}
