import type { Answered } from '../../service/answered.ts'
import type { Language } from './language.ts'
import type { Names } from './sentence.ts'

/** What policies are judged beside: all others, and whether the guard of raw signing is on. */
export type Ground = {
  readonly all: readonly Answered[]
  readonly hasGuard: boolean
  readonly language: Language
  readonly names: Names
}
