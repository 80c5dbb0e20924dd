import { realWorld } from '../../../trusted/base/real-world.ts'

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
    asks: process.stdin.isTTY ? asks : undefined,
    now: realWorld.now,
    environment: process.env,
  }
}

async function asks(question: string): Promise<string> {
  process.stdout.write(question)
  const line = await new Promise<string>((resolve) => {
    process.stdin.once('data', (typed: Buffer) => resolve(typed.toString('utf8')))
    process.stdin.once('end', () => resolve(''))
  })
  process.stdin.pause()
  return line.trim()
}
