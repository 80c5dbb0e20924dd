import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { COMMANDS } from '../usage-text.ts'

/** The page of the command line, from the text of `claviger help`. */
export function cliPage(): string {
  return markdownPage([
    '# Command line',
    'Derived by `npm run derive` from the text of `claviger help`.',
    'In a clone, `claviger` is `node bin/claviger.js`. A command that fails writes one sentence to standard error and ends with 1; an unknown command ends with 2. `claviger COMMAND --help` shows the part of this page on one command.',
    ...COMMANDS.split(/\n(?= {2}claviger )/).flatMap(section),
    'Every command reads the [settings](settings.md).',
  ])
}

/** The lines of one command as `claviger help` prints them. */
function section(text: string): readonly string[] {
  const name = /claviger [a-z-]+(?: (?!or\b)[a-z]+)*/.exec(text)?.[0] ?? text
  const lines = text.split('\n').map((line) => line.replace(/^ {2}/, ''))
  return [`## ${name.trim()}`, ['```text', ...lines, '```'].join('\n')]
}
