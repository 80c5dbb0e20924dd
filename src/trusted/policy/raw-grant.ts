import type { Tree } from './tree.ts'

/**
 * Whether a condition grants raw signing by name: it asks for `payload.opaque` to be true, or for `activity.kind` or
 * `activity.type` to be one that signs raw bytes. A denied part (`!`, `!=`, `== false`) grants nothing, and neither
 * does a part that only stands inside a comparison. A variable of such a name is not the keyword.
 *
 * @param tree  of a policy's condition; undefined where it has none
 */
export function grantsRawByName(tree: Tree | undefined): boolean {
  return tree !== undefined && isGrant(tree, [])
}

/** @param hidden  names that are variables here */
function isGrant(tree: Tree, hidden: readonly string[]): boolean {
  switch (tree.kind) {
    case 'field':
      return isOpaque(tree, hidden)
    case 'and':
    case 'or':
      return tree.parts.some((part) => isGrant(part, hidden))
    case 'any':
    case 'all':
      return isGrant(tree.body, [...hidden, tree.variable])
    case 'comparison': {
      const { operator, left, right } = tree
      return operator === '==' && (names(left, right, hidden) || names(right, left, hidden))
    }
    case 'member': {
      const { item, list } = tree
      return list.kind === 'list' && list.items.some((tree) => names(item, tree, hidden))
    }
    default:
      return false
  }
}

function names(subject: Tree, literal: Tree, hidden: readonly string[]): boolean {
  if (literal.kind !== 'literal') return false
  if (literal.value === true) return isOpaque(subject, hidden)
  const ofActivity = RAW.find(({ field }) => isField(subject, 'activity', field, hidden))
  return typeof literal.value === 'string' && ofActivity?.values.includes(literal.value) === true
}

const RAW = [
  { field: 'kind', values: ['SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS'] },
  {
    field: 'type',
    values: [
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS_V2',
    ],
  },
]

function isOpaque(tree: Tree, hidden: readonly string[]): boolean {
  return isField(tree, 'payload', 'opaque', hidden)
}

function isField(tree: Tree, keyword: string, field: string, hidden: readonly string[]): boolean {
  return (
    tree.kind === 'field' &&
    tree.name === field &&
    tree.of.kind === 'name' &&
    tree.of.name === keyword &&
    !hidden.includes(keyword)
  )
}
