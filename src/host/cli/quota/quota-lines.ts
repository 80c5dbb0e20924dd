import { fullnessOf } from '../../quotas/fullness.ts'
import type { QuotaAnswer, SubjectShown } from '../../quotas/quota-orders.ts'
import type { QuotaName, QuotaUse } from '../../store/quotas/quota.ts'
import { EVERY_ORGANIZATION } from '../../store/quotas/settings.ts'

const NAMES: Readonly<Record<QuotaName, string>> = {
  requests: 'requests today',
  cost: 'cost today',
  messages: 'messages today',
  subOrganizationMessages: 'messages of sub-organizations today',
  objects: 'objects',
  subOrganizations: 'sub-organizations',
  storedBytes: 'stored bytes',
}

type Shown = Extract<QuotaAnswer, { readonly kind: 'shown' | 'near' }>
type Recounted = Omit<Extract<QuotaAnswer, { readonly kind: 'recounted' }>, 'next'>
/** The output of the command: for a recount the total, instead of one page. */
export type QuotaTold = Shown | Recounted

/** An answer as readable lines. */
export function quotaLines(answer: QuotaTold): readonly string[] {
  if (answer.kind === 'shown')
    return answer.subjects.length === 0 ? ['no quota is set'] : answer.subjects.flatMap(subjectLines)
  if (answer.kind === 'near') return nearLines(answer)
  const { organizations, drifts } = answer
  return [
    ...drifts.map(
      ({ organizationId, quota, counted, found }) =>
        `!! ${organizationId}  ${NAMES[quota]}: counted ${counted}, found ${found}; the count was corrected`,
    ),
    `${organizations} organizations recounted, ${drifts.length} counts were wrong`,
  ]
}

function nearLines({ full, nearlyFull, subjects }: Extract<QuotaAnswer, { readonly kind: 'near' }>) {
  const more = full + nearlyFull - subjects.length
  return [
    ...subjects.flatMap(subjectLines),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${full} full, ${nearlyFull} nearly full`,
  ]
}

function subjectLines({ subject, uses }: SubjectShown): readonly string[] {
  const isEverybody = subject === EVERY_ORGANIZATION
  const head = isEverybody ? 'every organization without a quota of its own' : subject
  if (uses.length === 0) return [`${head}: no quota`]
  const width = Math.max(NAME_WIDTH, ...uses.map(({ quota }) => NAMES[quota].length))
  const amount = isEverybody ? commonAmount : usedAmount
  return [head, ...uses.map((use) => `  ${NAMES[use.quota].padEnd(width)}  ${amount(use)}`)]
}

function commonAmount({ most }: QuotaUse): string {
  return `up to ${most}`
}

function usedAmount({ most, used }: QuotaUse): string {
  const fullness = fullnessOf({ most, used })
  const note = fullness === undefined ? '' : `  ${fullness}`
  return `${used} of ${most}${note}`
}

/** The usual width; only the rare quotas of messages are longer. */
const NAME_WIDTH = NAMES.subOrganizations.length
