import type { Answered } from '../../service/answered.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** An expression of a policy as a tree, with the value of each part. */
export function ExplainedExpression({ expression }: { readonly expression: Answered }) {
  if (!expression.has('whole'))
    return (
      <>
        <code>{plainText(expression.text('text'))}</code> <Came of={expression} />
      </>
    )
  return (
    <ul class="tree">
      <Part part={expression.object('whole')} depth={0} />
    </ul>
  )
}

/** Deeper and wider trees are cut: nobody reads them, and a browser would be busy with them for long. */
const DEPTH_MAX = 40
const PARTS_MAX = 100

function Part({ part, depth }: { readonly part: Answered; readonly depth: number }) {
  const parts = part.list('parts')
  const shown = depth < DEPTH_MAX ? parts.slice(0, PARTS_MAX) : []
  const item = part.has('item') ? part.object('item') : undefined
  return (
    <li>
      <code>{plainText(part.text('text'))}</code> <Came of={part} />
      {item !== undefined && (
        <span class="faint"> {say('item', { name: item.text('name'), value: item.text('value') })}</span>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((inner) => (
            <Part key={inner.path} part={inner} depth={depth + 1} />
          ))}
        </ul>
      )}
      {(shown.length < parts.length || part.has('isCut')) && <span class="faint">{say('cut')}</span>}
    </li>
  )
}

/** What a part came to. */
function Came({ of }: { readonly of: Answered }) {
  if (!of.has('result')) return <span class="faint">{say('notNeeded')}</span>
  const result = of.object('result')
  if (!result.has('value'))
    return <span class="badge warn">{plainText(result.object('problem').text('reason'))}</span>
  const value = result.text('value')
  const tone = value === 'true' ? 'good' : value === 'false' ? 'bad' : ''
  return <span class={`badge ${tone}`}>{plainText(value)}</span>
}
