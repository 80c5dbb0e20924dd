import type { Answered } from '../service/answered.ts'
import { moment } from '../words/moment.ts'

/** A time as the interface writes it: seconds since 1970. */
export function timeOf(answer: Answered, name: string): string {
  return moment(answer.object(name).number('seconds') * 1_000)
}
