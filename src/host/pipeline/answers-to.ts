import type { Answers, Question } from '../../trusted/catalogue/question.ts'
import type { Host } from './host.ts'

/**
 * All answers are fetched at once, so one deadline covers all of them.
 *
 * @param asker  the tenant in whose turn they are asked
 */
export async function answersTo(
  host: Pick<Host, 'outside'>,
  questions: readonly Question[],
  asker: string,
): Promise<Answers> {
  return await Promise.all(
    questions.map(async (question) => ({ question, answer: await host.outside(question, asker) })),
  )
}
