import { EXIT_CODES } from './exit-codes.ts'

/** The entries of `claviger help`: each is a line of commands with its explanation. */
export function commandEntries(text: string): readonly string[] {
  return text.split(/\n(?= {2}claviger )/)
}

/** The commands of an entry: `quota list | show ORGANIZATION | remove …` has three; `--default` is not a command. */
export function commandsIn(entry: string): readonly string[] {
  const [, name = '', line = ''] = /^ {2}claviger (\S+) ?(.*)/.exec(entry) ?? []
  const head = line.split(/ {2,}/)[0] ?? ''
  const seconds = head.split(' | ').flatMap((part) => /^(?!or\b)[a-z][a-z-]*(?= |$)/.exec(part)?.[0] ?? [])
  return seconds.length === 0 ? [name] : seconds.map((second) => `${name} ${second}`)
}

/** The entry, and below it the exit codes that its commands declare. */
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
