import type { StartOptions } from './claviger.ts'
import { invalidOption, unknownOption } from './failures.ts'

/**
 * Checks options of which no compiler may have seen the types: a suite in JavaScript would otherwise run with another
 * seed, or at another time, than it says.
 *
 * @throws Failure `unknownOption` or `invalidOption`
 */
export function checkOptions(options: StartOptions): void {
  const known = Object.keys(OPTIONS)
  for (const [name, value] of Object.entries(options)) {
    const option = Object.entries(OPTIONS).find(([each]) => each === name)?.[1]
    if (option === undefined) throw unknownOption({ name, known })
    if (value !== undefined && !option.takes(value)) throw invalidOption({ name, is: option.is, value })
  }
}

type Option = { readonly is: string; readonly takes: (value: unknown) => boolean }

/** The content of fixtures and the time of a clock are checked where they are read. */
const OPTIONS: { readonly [name in keyof StartOptions]-?: Option } = {
  seed: {
    is: 'a number or a text',
    takes: (value) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)),
  },
  port: {
    is: 'a number up to 65535, and 0 for a free one',
    takes: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535,
  },
  clock: { is: '"real", "frozen" or a time as a text', takes: (value) => typeof value === 'string' },
  fixtures: {
    is: 'a name, a file, or {"steps": […]}',
    takes: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  },
  strictTime: { is: 'true or false', takes: (value) => typeof value === 'boolean' },
}
