import { BOUNDS, states } from './states.ts'

/** The states of a submission as a table in Markdown. */
export function statesTable(): string {
  const rows = Object.entries(states).map(([name, { when, does, goesOn, spends }]) =>
    [`\`${name}\``, when, does, goesOn, boundOf(spends)].join(' | '),
  )
  const head = ['| state | event | the host | and then | at most |', '|---|---|---|---|---|']
  return [...head, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function boundOf(spends: (typeof states)[keyof typeof states]['spends']): string {
  return spends === undefined ? '' : `${BOUNDS[spends]} ${spends}`
}
