import type { Answers, Question } from '../../trusted/catalogue/question.ts'
import type { Host } from './host.ts'

/** All answers are fetched at once, so one deadline covers all of them. */
export async function answersTo(
  host: Pick<Host, 'charters' | 'outside'>,
  questions: readonly Question[],
  organizationId: string,
): Promise<Answers> {
  const asker = await host.charters.tenantOf(organizationId)
  return await Promise.all(
    questions.map(async (question) => ({ question, answer: await host.outside(question, asker) })),
  )
}
