import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandEntries, commandsIn } from '../../src/host/cli/command-entries.ts'
import { commands } from '../../src/host/cli/commands.ts'
import { EVERY_EXIT_CODE, EXIT_CODES } from '../../src/host/cli/exit-codes.ts'
import { COMMANDS, helpOf, usageText } from '../../src/host/cli/usage-text.ts'
import { UsageError } from '../../src/host/cli/usage.ts'
import { projectFolder } from '../support/running-service.ts'

/** A command as `claviger help` lists it, such as `quota show`, with all that is said of it. */
type Listed = { readonly words: readonly string[]; readonly entry: string }

const listed: readonly Listed[] = commandEntries(COMMANDS).flatMap((entry) =>
  commandsIn(entry).map((name) => ({ words: name.split(' '), entry })),
)

/** What writes for somebody else than a reader of results, and in which form. */
const NO_RESULT: { readonly [command: string]: string } = {
  dev: 'a log of JSON lines, with a greeting for the person who starts it',
  serve: 'a log of JSON lines',
  vault: 'a log of JSON lines',
  mcp: 'the messages of its protocol',
  'secret run': 'what the command that it runs writes',
  'archive find': 'a line of JSON for each activity, always',
}

test('help lists each command that there is, and nothing else', () => {
  const first = [...new Set(listed.map(({ words: [name = ''] }) => name))]
  assert.deepEqual(first.toSorted(), Object.keys(commands).toSorted())
  for (const { words, entry } of listed) assert.ok(helpOf(words[0] ?? '').includes(entry), words.join(' '))
})

test('each command declares its exit codes, and its help and the reference show them beside those of all', () => {
  assert.deepEqual(
    [...new Set(listed.map(({ words }) => words.join(' ')))].toSorted(),
    Object.keys(EXIT_CODES).toSorted(),
  )
  const reference = readFileSync(join(projectFolder, 'docs/reference/cli.md'), 'utf8')
  const shown = (text: string, code: string, meaning: string): boolean =>
    text.includes(code === '*' ? `exit code ${meaning}` : `${code}: ${meaning}`)
  const missing = Object.entries(EXIT_CODES).flatMap(([command, codes]) =>
    Object.entries(codes).flatMap(([code, meaning]) =>
      [helpOf(command.split(' ')[0] ?? ''), reference].every((text) => shown(text, code, meaning))
        ? []
        : [`${command} ${code}`],
    ),
  )
  assert.deepEqual(missing, [])
  for (const [code, meaning] of Object.entries(EVERY_EXIT_CODE)) {
    assert.ok(reference.includes(`| ${code} | ${meaning} |`), code)
    assert.ok(helpOf('doctor').includes(`  ${code}  ${meaning}`), code)
    assert.ok(usageText().includes(`  ${code}  ${meaning}`), code)
  }
})

test('each command that has a result takes --json, and its help says so', async () => {
  const without: string[] = []
  for (const { words, entry } of listed) {
    const name = words.join(' ')
    if (NO_RESULT[name] !== undefined) continue
    if (!entry.includes('--json')) without.push(`the help of ${name}`)
    const [first = '', ...more] = words
    // The first option that a command does not know is the one that it names.
    await assert.rejects(
      async () => await commands[first]?.([...more, '--json', '--no-such-option']),
      (error) => {
        assert.ok(error instanceof UsageError, `${name}: ${error}`)
        if (!error.message.includes('--no-such-option')) without.push(`${name}: ${error.message}`)
        return true
      },
    )
  }
  assert.deepEqual(without, [])
})

test('each command stands in the reference, and in a guide that shows how it is used', () => {
  const reference = readFileSync(join(projectFolder, 'docs/reference/cli.md'), 'utf8')
  const folder = join(projectFolder, 'docs/how-to')
  const guides = [
    ...readdirSync(folder).map((name) => join(folder, name)),
    join(projectFolder, 'docs/policy-tools.md'),
  ].map((path) => readFileSync(path, 'utf8'))
  const missing = listed.flatMap(({ words, entry }) => {
    const used = new RegExp(`\\bclaviger\\s+${words.join('\\s+')}\\b`)
    return [
      ...(reference.includes(entry.replaceAll(/^ {2}/gm, '')) ? [] : [`the reference: ${words.join(' ')}`]),
      ...(guides.some((text) => used.test(text)) ? [] : [`a guide: ${words.join(' ')}`]),
    ]
  })
  assert.deepEqual(missing, [])
})
