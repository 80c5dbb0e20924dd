/** A fenced code block of a page, and what its fence says it is. */
export type Block = {
  /** The line of the page on which its text begins, counted from 1. */
  readonly line: number
  readonly text: string
  readonly is: Kind
  /** A command that has to succeed here for the block to be run. */
  readonly needs: string | undefined
}

type Kind =
  | { readonly kind: 'commands'; readonly fails: boolean }
  /** `restarts`: instead of what was started last. */
  | { readonly kind: 'background'; readonly restarts: boolean }
  | { readonly kind: 'install' }
  | { readonly kind: 'file'; readonly name: string }
  /** Of the block before, or of the other terminal that runs this file. */
  | { readonly kind: 'output'; readonly of: string | undefined }

/** A page that cannot be run, or a block that did not do what the page says. */
export class PageProblem extends Error {}

const FENCE = /^```(.*)$/

/** The blocks of a page in their order. Each has to be of a known kind: CONTRIBUTING.md lists the kinds. */
export function blocksOf(page: string): readonly Block[] {
  const lines = page.split('\n')
  const blocks: Block[] = []
  let prose: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)?.[1]
    if (fence === undefined) {
      if (isHiddenCode(line, prose.at(-1))) throw new PageProblem(`line ${at + 1}: code stands in fences`)
      prose.push(line)
      continue
    }
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new PageProblem(`line ${at + 1}: the fence has no end`)
    const text = `${lines.slice(at + 1, end).join('\n')}\n`
    blocks.push(blockOf({ fence, line: at + 2, text, prose: prose.join('\n') }))
    prose = []
    at = end
  }
  for (const [at, { is, line }] of blocks.entries())
    if (is.kind === 'background' && blocks[at + 1]?.is.kind !== 'output')
      throw new PageProblem(`line ${line}: no output says when what was started is ready`)
  return blocks
}

/** An indented block, or a fence that is indented: neither says what it is. */
function isHiddenCode(line: string, before: string | undefined): boolean {
  return /^\s+```/.test(line) || (/^( {4}|\t)/.test(line) && (before ?? '').trim() === '')
}

function blockOf(of: {
  readonly fence: string
  readonly line: number
  readonly text: string
  readonly prose: string
}): Block {
  const { fence, line, text, prose } = of
  const [language = '', ...marks] = fence.match(/[\w-]+="[^"]*"|\S+/g) ?? []
  const values = new Map(
    marks.map((mark) => {
      const [name = '', ...value] = mark.split('=')
      return [name, value.join('=').replaceAll('"', '')]
    }),
  )
  const needs = values.get('needs')
  values.delete('needs')
  const is = kindOf(language, values)
  if (is === undefined) throw new PageProblem(`line ${line - 1}: a block of an unknown kind: \`\`\`${fence}`)
  // The name in the fence is not shown to the reader.
  if (is.kind === 'file' && !prose.includes(`\`${is.name}\``))
    throw new PageProblem(`line ${line - 1}: the text before the block does not name \`${is.name}\``)
  return { line, text, is, needs }
}

function kindOf(language: string, marks: ReadonlyMap<string, string>): Kind | undefined {
  if (language === 'text' && marks.has('output') && marks.size === (marks.has('of') ? 2 : 1))
    return { kind: 'output', of: marks.get('of') }
  const [mark, ...more] = marks.keys()
  if (more.length > 0) return undefined
  const value = mark === undefined ? '' : (marks.get(mark) ?? '')
  if (mark === 'file' && /^\.?[\w-][\w./-]*$/.test(value)) return { kind: 'file', name: value }
  if (language !== 'sh') return undefined
  if (mark === undefined) return { kind: 'commands', fails: false }
  if (mark === 'fails') return { kind: 'commands', fails: true }
  if (mark === 'background' || mark === 'restart') return { kind: 'background', restarts: mark === 'restart' }
  if (mark === 'install') return { kind: 'install' }
  return undefined
}
