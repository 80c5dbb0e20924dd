import { inspect } from 'node:util'

/** What a test run comes to. */
type Tally = {
  readonly passed: () => void
  /** @returns what to print: nothing for a test that failed only because one inside it did */
  readonly failed: (file: string, name: string, error: unknown) => string
  /** @returns what to print when it may not be skipped here */
  readonly skipped: (file: string, name: string, reason: string) => string | undefined
  readonly succeeded: () => boolean
  /** The last lines of the run; the very last is `N passed, N failed` and, where there are any, `, N skipped`. */
  readonly summary: () => readonly string[]
}

/** On CI nothing may be skipped. */
export function tally(where: { readonly isCi: boolean }): Tally {
  const failures: string[] = []
  const skips: string[] = []
  let passed = 0
  const fail = (file: string, name: string, text: string): string => {
    failures.push(`${file}: ${name}`)
    return `\nFAILED ${file}: ${name}\n${indented(text)}`
  }
  return {
    passed: () => {
      passed += 1
    },
    failed: (file, name, error) => (isOfChild(error) ? '' : fail(file, name, textOf(error))),
    skipped: (file, name, reason) => {
      if (where.isCi) return fail(file, name, `skipped, which CI does not allow: ${reason}`)
      skips.push(`${file}: ${name}${reason === '' ? '' : `: ${reason}`}`)
      return undefined
    },
    succeeded: () => failures.length === 0 && passed > 0,
    summary: () => [
      ...(skips.length === 0 ? [] : ['', 'Skipped:', ...skips.map((line) => `  ${line}`)]),
      ...(failures.length === 0 ? [] : ['', 'Failed:', ...failures.map((line) => `  ${line}`)]),
      ...(passed + failures.length === 0 ? ['', 'No test ran.'] : ['']),
      `${passed} passed, ${failures.length} failed${skips.length === 0 ? '' : `, ${skips.length} skipped`}`,
    ],
  }
}

/** node:test fails a test for its subtests, each of which it reports itself. */
function isOfChild(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'failureType' in error &&
    error.failureType === 'subtestsFailed'
  )
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : inspect(cause)
  const within = cause.cause === undefined ? '' : `\ncaused by ${inspect(cause.cause)}`
  return `${cause.stack ?? cause.message}${within}`
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
