import { printable } from '../policies/printable.ts'
import { UsageError } from '../usage.ts'

/** The units of a chain by their names in lower case, with the number of decimal digits of each. */
export type Units = { readonly [unit: string]: number }

/**
 * An amount such as `0.5eth` in the smallest unit of the chain, exactly.
 *
 * @throws UsageError  for an amount without a unit of this chain, with more decimals than the unit has, or of zero
 */
export function amountIn(text: string, units: Units, option: string): bigint {
  const known = Object.keys(units).join(', ')
  const [, whole = '', decimals = '', unit = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === '')
    throw new UsageError(`${option} is not an amount: ${printable(text)}; an example is 0.5${first(units)}`)
  const digits = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined
  if (digits === undefined)
    throw new UsageError(`${option} needs a unit of its chain after the number: ${known}`)
  if (decimals.length > digits)
    throw new UsageError(`${option} has ${decimals.length} decimals, and ${unit} has ${digits}`)
  const amount = BigInt(whole + decimals.padEnd(digits, '0'))
  if (amount === 0n) throw new UsageError(`${option} must be more than 0`)
  if (amount > AMOUNT_MAX) throw new UsageError(`${option} is larger than the whole supply of any chain`)
  return amount
}

// Digits, a point with digits after it, and letters. No sign, no exponent, no separators: each can be read in two ways.
const AMOUNT = /^(\d{1,60})(?:\.(\d{1,60}))?\s?([a-zA-Z]*)$/
const AMOUNT_MAX = 2n ** 128n

/** The same amount for reading, in the first unit of the chain. */
export function amountText(amount: bigint, units: Units): string {
  const unit = first(units)
  const digits = units[unit] ?? 0
  const padded = amount.toString().padStart(digits + 1, '0')
  const whole = padded.slice(0, padded.length - digits)
  const decimals = padded.slice(padded.length - digits).replace(/0+$/, '')
  return `${whole}${decimals === '' ? '' : `.${decimals}`} ${unit}`
}

function first(units: Units): string {
  return Object.keys(units)[0] ?? ''
}
