import { placeOf, type Rule } from './finding.ts'
import { comparedTexts, pathOf, walk } from './walk.ts'

/** `activity.type` names one version, and clients move to the next one with an upgrade. */
export const activityType: Rule = (read) => {
  const { condition } = read.trees
  if (condition === undefined) return []
  return walk(condition).flatMap((visited) =>
    comparedTexts(visited)
      .filter(({ subject, texts }) => texts.length > 0 && pathOf(subject)?.join('.') === 'activity.type')
      .map(({ texts }) => {
        const kinds = [...new Set(texts.map(({ value }) => kindOf(value)))]
        const isNot = visited.tree.kind === 'comparison' && visited.tree.operator === '!='
        const wanted =
          kinds.length === 1
            ? `activity.kind ${isNot ? '!=' : '=='} '${kinds[0]}'`
            : `activity.kind in [${kinds.map((kind) => `'${kind}'`).join(', ')}]`
        const why = `A client that is upgraded sends a later version, which the rule does not know: use \`${wanted}\`, which knows every version.`
        return {
          severity: 'warning' as const,
          what: 'activityType' as const,
          why,
          place: placeOf(read, 'condition', visited.tree.span),
        }
      }),
  )
}

function kindOf(type: string): string {
  return type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '')
}
