import { Pace, Work } from '../work.ts'

/** Work that never waits for a turn. */
export function workAlone(): Work {
  return new Work(new Pace(async () => {}), '')
}
