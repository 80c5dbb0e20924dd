import { realWorld } from '../../trusted/base/real-world.ts'

/**
 * Reports the progress of a command on standard error: no line in the first two seconds after the first rows, and then
 * one line at regular intervals.
 */
export function progress(describe: () => string): { readonly tell: () => void } {
  let began: number | undefined
  let due = 0
  return {
    tell: () => {
      const now = realWorld.now()
      if (began === undefined) due = now + FIRST_AFTER_MS
      began ??= now
      if (now < due) return
      due = now + BETWEEN_MS
      process.stderr.write(`${describe()} (${Math.round((now - began) / 1000)} s)\n`)
    },
  }
}

/** The same for a number that grows. @returns a function that takes how many there are more */
export function countingProgress(describe: (count: number) => string): (more: number) => void {
  let count = 0
  const { tell } = progress(() => describe(count))
  return (more) => {
    count += more
    tell()
  }
}

const FIRST_AFTER_MS = 2_000
const BETWEEN_MS = 5_000
