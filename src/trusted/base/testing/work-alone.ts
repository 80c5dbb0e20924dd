import { Pace, Work } from '../work.ts'

/** Work of somebody who has no turns to take. */
export function workAlone(): Work {
  return new Work(new Pace(async () => {}), '')
}
