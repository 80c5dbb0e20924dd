import { type Answered, StrangeAnswer } from '../../service/answered.ts'

/** A whole number of as many digits as an answer may have. @throws StrangeAnswer */
export function amountOf(answer: Answered, name: string): bigint {
  const text = answer.text(name)
  if (!/^-?\d{1,100}$/.test(text)) throw new StrangeAnswer(`${answer.path}${name}`)
  return BigInt(text)
}
