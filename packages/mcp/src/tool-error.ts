import type { Data } from './data.ts'

/** A tool could not do what it was asked: what was wrong and what to do in words of this server, the rest as data. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly advice: string
  readonly told: Data | undefined
  readonly more: object

  constructor(says: string, advice: string, told?: Data, more: object = {}) {
    super(says)
    this.advice = advice
    this.told = told
    this.more = more
  }
}
