import { type Amount, amountOf } from './amounts.ts'
import { asData, type Data } from './data.ts'
import { DECODED_FIELDS, DECODED_LISTS, type DecodedField } from './decoded-fields.ts'
import { everyPart, type Judgement, type Part } from './explanation.ts'
import { numberOf } from './limits.ts'
import { type TokenCall, tokenCallIn } from './token-call.ts'

/** What a request does, as the service itself reads the bytes that are signed. */
export type Decoded = {
  readonly fields: { readonly [path: string]: Shown }
  readonly lists: { readonly [path: string]: readonly { readonly [field: string]: Shown }[] }
  readonly tokenCalls: readonly TokenCall[]
  /** Something is longer than the service shows: what is here is the beginning of it. */
  readonly isIncomplete: boolean
}

type Shown = Data | Amount | boolean

/**
 * The draft of a policy by which the service is asked what it reads. An explanation shows the value of every part of a
 * condition, also beside parts that have none here; the draft is judged beside the real policies and decides nothing.
 */
export const READING_DRAFT = {
  policies: [
    {
      policyName: 'Shows what is read (claviger-mcp)',
      effect: 'EFFECT_DENY',
      condition: [
        ...DECODED_FIELDS.map(comparisonOf),
        ...DECODED_LISTS.map(({ path, fields }) => {
          const each = fields.map((field) => comparisonOf({ ...field, path: `x.${field.path}` }))
          return `${path}.any(x, ${each.join(' || ')})`
        }),
      ].join(' || '),
    },
  ],
}

function comparisonOf({ path, type }: DecodedField): string {
  return `${path}${{ text: " == ''", number: ' == 0', bool: ' == false', texts: '.count() == 0' }[type]}`
}

/**
 * @param drafted  the judgement of the request by `READING_DRAFT`, explained
 * @returns        undefined where the explanation had no room for what was read
 */
export function decodedIn(drafted: Judgement): Decoded | undefined {
  const reading = drafted.explanations[0]?.policies.find(({ policyId }) => policyId === 'draft-1')
  const whole = reading?.condition?.whole
  if (whole === undefined) return undefined
  const parts = [...everyPart(whole)]
  if (parts.some((part) => part.isCut === true)) return undefined
  const fields = DECODED_FIELDS.flatMap((field) => {
    const part = parts.find(({ text }) => text === nameOf(field))
    const shown = part && shownAs(part, field.type, field.path)
    return shown === undefined ? [] : [[nameOf(field), shown] as const]
  })
  const lists = DECODED_LISTS.flatMap(({ path, fields: of }) => {
    const items = itemsIn(parts, path)
    return items === undefined ? [] : [[path, items.map((item) => shownItem(item, path, of))] as const]
  })
  const byName: Decoded['fields'] = Object.fromEntries(fields)
  const byPath: Decoded['lists'] = Object.fromEntries(lists)
  const calls = [[byName['eth.tx.to'], byName['eth.tx.data']]]
  for (const { to, input } of byPath['tempo.tx.calls'] ?? []) calls.push([to, input])
  return {
    fields: byName,
    lists: byPath,
    tokenCalls: calls.flatMap(([to, data]) => tokenCallIn(textOf(to), textOf(data)) ?? []),
    isIncomplete: JSON.stringify([fields, lists]).includes('…'),
  }
}

export function textOf(shown: Shown | undefined): string {
  return typeof shown === 'object' && 'data' in shown ? shown.data : ''
}

/** A map is asked for by a key that it need not have: what is shown is the map. */
function nameOf({ path }: DecodedField): string {
  return path.replace("['']", '')
}

function shownAs(part: Part, type: DecodedField['type'], path: string): Shown | undefined {
  const { result } = part
  if (!('value' in result)) return undefined
  if (type === 'bool') return result.value === 'true'
  const units = type === 'number' ? numberOf(part) : undefined
  if (units !== undefined) return amountOf(path, units)
  return asData(result.value.replace(/^'([^]*)'$/, '$1'), VALUE_CHARACTERS_MAX)
}

// A little more than the service shows of a value.
const VALUE_CHARACTERS_MAX = 600

/** Of `list.any(x, …)` the parts are the list, and then the condition once for each item. */
function itemsIn(parts: readonly Part[], path: string): readonly Part[] | undefined {
  const [list, ...items] =
    parts.find(({ kind, text }) => kind === 'any' && text.startsWith(`${path}.`))?.parts ?? []
  return list !== undefined && 'value' in list.result ? items : undefined
}

function shownItem(
  item: Part,
  path: string,
  fields: readonly DecodedField[],
): { readonly [field: string]: Shown } {
  const shown = fields.flatMap((field) => {
    const part = [...everyPart(item)].find(({ text }) => text === `x.${field.path}`)
    const value = part && shownAs(part, field.type, path)
    return value === undefined ? [] : [[field.path, value] as const]
  })
  return Object.fromEntries(shown)
}
