import type { Tree } from './tree.ts'

/** The text of a tree, with parentheses around every operand, so that reading it gives the same tree. */
export function print(tree: Tree): string {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'string' ? `'${tree.value}'` : String(tree.value)
    case 'list':
      return `[${tree.items.map(print).join(', ')}]`
    case 'name':
      return tree.name
    case 'field':
      return `${operand(tree.of)}.${tree.name}`
    case 'index':
      return `${operand(tree.of)}[${print(tree.index)}]`
    case 'slice':
      return `${operand(tree.of)}[${tree.from}..${tree.to}]`
    case 'and':
      return tree.parts.map(operand).join(' && ')
    case 'or':
      return tree.parts.map(operand).join(' || ')
    case 'not':
      return `!${operand(tree.operand)}`
    case 'comparison':
      return `${operand(tree.left)} ${tree.operator} ${operand(tree.right)}`
    case 'member':
      return `${operand(tree.item)} in ${operand(tree.list)}`
    case 'any':
    case 'all':
    case 'filter':
      return `${operand(tree.of)}.${tree.kind}(${tree.variable}, ${print(tree.body)})`
    case 'count':
      return `${operand(tree.of)}.count()`
    case 'usage': {
      const { amount, window, by } = tree
      const given = [...(amount === undefined ? [] : [print(amount)]), `'${window}'`, ...by.map(print)]
      return `usage.${tree.what}(${given.join(', ')})`
    }
    case 'timestamp':
      return `Timestamp('${tree.text}')`
    case 'cronSpan':
      return `CronSpan(${tree.texts.map((text) => `'${text}'`).join(', ')})`
    case 'caseless':
      return `CaseInsensitiveString(${print(tree.operand)})`
  }
}

function operand(tree: Tree): string {
  return BARE.includes(tree.kind) ? print(tree) : `(${print(tree)})`
}

const BARE: readonly Tree['kind'][] = [
  'literal',
  'list',
  'name',
  'field',
  'index',
  'slice',
  'count',
  'caseless',
  'usage',
  'timestamp',
  'cronSpan',
]
