import { EXIT_CODES } from './exit-codes.ts'

/** What `claviger help` says of each line of commands, apart. */
export function commandEntries(text: string): readonly string[] {
  return text.split(/\n(?= {2}claviger )/)
}

/** `quota list | show ORGANIZATION | remove …` is three commands, and `--default` is none. */
export function commandsIn(entry: string): readonly string[] {
  const [, name = '', line = ''] = /^ {2}claviger (\S+) ?(.*)/.exec(entry) ?? []
  const head = line.split(/ {2,}/)[0] ?? ''
  const seconds = head.split(' | ').flatMap((part) => /^(?!or\b)[a-z][a-z-]*(?= |$)/.exec(part)?.[0] ?? [])
  return seconds.length === 0 ? [name] : seconds.map((second) => `${name} ${second}`)
}

/** The entry, and under it the exit codes that these commands declare. */
export function withExitCodes(entry: string): string {
  const commands = commandsIn(entry)
  const whose = new Map<string, string[]>()
  for (const command of commands)
    for (const [code, meaning] of Object.entries(declared[command] ?? {})) {
      const said = code === '*' ? meaning : `${code}: ${meaning}`
      whose.set(said, [...(whose.get(said) ?? []), command.split(' ').at(-1) ?? ''])
    }
  if (whose.size === 0) return entry
  const told = [...whose].map(([said, names]) =>
    names.length === commands.length ? said : `${said} (${names.join(', ')})`,
  )
  const indent = /\n( +)[^\n]*$/.exec(entry)?.[1] ?? ' '.repeat(22)
  return `${entry}\n${indent}exit code ${told.join('; ')}`
}

const declared: { readonly [command: string]: { readonly [code: string]: string } } = EXIT_CODES
