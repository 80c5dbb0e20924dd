import { refined, type Shape, shown, text } from '../../catalogue/shape.ts'

/** Seconds as decimal digits, from one to `max`. */
export function secondsText(max: number): Shape<string> {
  return refined(text({ max: 32 }), {
    problem: (value) =>
      /^[1-9]\d{0,6}$/.test(value) && Number(value) <= max
        ? undefined
        : `must be a whole number of seconds from 1 to ${max} as decimal digits, not ${shown(value)}`,
    schema: { pattern: '^[1-9][0-9]{0,6}$' },
  })
}
