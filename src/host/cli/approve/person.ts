import { realWorld } from '../../../trusted/base/real-world.ts'
import { typedLine } from '../typed-line.ts'

/** The person at the terminal, and the machine as seen by the command. */
export type Person = {
  readonly write: (text: string) => void
  /** One typed line; undefined if no person can be asked. */
  readonly asks: ((question: string) => Promise<string>) | undefined
  readonly now: () => number
  readonly environment: { readonly [name: string]: string | undefined }
}

export function processPerson(): Person {
  return {
    write: (text) => process.stdout.write(text),
    asks: process.stdin.isTTY ? typedLine : undefined,
    now: realWorld.now,
    environment: process.env,
  }
}
