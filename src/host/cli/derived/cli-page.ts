import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { commandEntries } from '../command-entries.ts'
import { EVERY_EXIT_CODE } from '../exit-codes.ts'
import { COMMANDS } from '../usage-text.ts'

/** The page of the command line, from the text of `claviger help`. */
export function cliPage(): string {
  return markdownPage([
    '# Command line',
    'Derived by `npm run derive` from the text of `claviger help`.',
    'In a clone, `claviger` is `node bin/claviger.js`. `claviger COMMAND --help` shows the part of this page on one command.',
    'Each command ends with one of these exit codes. A command that gives a code a meaning of its own names it in its text below.',
    exitCodesTable(),
    ...commandEntries(COMMANDS).flatMap(section),
    'Commands on the data and on a service of this machine read the [settings](settings.md). Those with `--as` or an address ask the service that is named there.',
  ])
}

function exitCodesTable(): string {
  const rows = Object.entries(EVERY_EXIT_CODE).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return ['| exit code | meaning |', '|---|---|', ...rows].join('\n')
}

/** The lines of one command as `claviger help` prints them. */
function section(text: string): readonly string[] {
  const name = /claviger [a-z-]+(?: (?!or\b)[a-z]+)*/.exec(text)?.[0] ?? text
  const lines = text.split('\n').map((line) => line.replace(/^ {2}/, ''))
  return [`## ${name.trim()}`, ['```text', ...lines, '```'].join('\n')]
}
