import { settingsOf } from './parts.ts'
import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

const COLUMNS_MAX = 120
const INDENT = ' '.repeat(6)

/** Every setting with its default and its meaning, as `claviger help` prints them. */
export function settingsHelp(): string {
  return settingsOf(settings)
    .map(({ name, shownDefault, meaning }) =>
      wrapped(`  ${name} (${plain(shownDefault)}): ${plain(meaning)}`),
    )
    .join('\n')
}

/** The same as a table in Markdown. */
export function settingsTable(): string {
  const row = ({ name, shownDefault, meaning }: Setting): string =>
    `| \`${name}\` | ${shownDefault} | ${meaning} |`
  return ['| setting | default | meaning |', '|---|---|---|', ...settingsOf(settings).map(row)].join('\n')
}

/** Markdown as plain text for a terminal; a link becomes its text and its target. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1: $2').replaceAll('`', '')
}

function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(/(?<=\S) /)) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (longer.length <= COLUMNS_MAX) lines[lines.length - 1] = longer
    else lines.push(INDENT + word)
  }
  return lines.join('\n')
}
