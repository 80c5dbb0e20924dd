/**
 * A whole number that somebody gave to a script. What is none would count as nothing: the script would do nothing, find
 * no fault, and end well.
 */
export function countGiven(given: string, what: string, least = 1): number {
  const count = Number(given)
  if (/^\d+$/.test(given) && count >= least) return count
  return refuse(`${what} has to be a whole number of ${least} or more, and not "${given}"`)
}

/** The life of a long run with which a run that was ended goes on. */
export function firstLifeGiven(given: string, lives: number): number {
  const first = countGiven(given, 'the first life', 0)
  if (first < lives) return first
  const there = lives === 1 ? 'there is 1 life' : `there are ${lives} lives`
  return refuse(`${there}, counted from 0: none is left from life ${first} on`)
}

/** Ends the script with the code of wrong arguments, before it has begun anything. */
export function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}
