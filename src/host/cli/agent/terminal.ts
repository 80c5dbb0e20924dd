import { realWorld } from '../../../trusted/base/real-world.ts'
import type { World } from '../../../trusted/base/world.ts'
import { printableJson } from '../policies/printable.ts'
import { typedLine } from '../typed-line.ts'

/** The machine as seen by commands of agents. */
export type Terminal = World & {
  readonly write: (text: string) => void
  /** Said beside the result, whichever form that has. */
  readonly warn: (text: string) => void
  /** The result as an object for programs; used only with `--json`. */
  readonly tell: (told: object) => void
  /** Whether a person confirms; undefined if no person can be asked. */
  readonly confirms: ((question: string) => Promise<boolean>) | undefined
  /** The folder of key files. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
}

export function processTerminal(): Terminal {
  return {
    ...realWorld,
    write: (text) => process.stdout.write(text),
    warn: (text) => process.stderr.write(text),
    tell: () => undefined,
    confirms: process.stdin.isTTY ? confirms : undefined,
    folder: process.cwd(),
    environment: process.env,
  }
}

/** With `--json`: one object at the end instead of lines, and no questions. */
export function forPrograms(terminal: Terminal): Terminal {
  return {
    ...terminal,
    write: () => undefined,
    tell: (told) => terminal.write(`${printableJson(told, 2)}\n`),
    confirms: undefined,
  }
}

async function confirms(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await typedLine(`${question} (y/N) `))
}
