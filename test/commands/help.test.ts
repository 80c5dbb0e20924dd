import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from '../../src/host/cli/usage-text.ts'
import { runCommand } from '../support/running-service.ts'

const names = [...new Set([...COMMANDS.matchAll(/^ {2}claviger (\S+)/gm)].map(([, name = '']) => name))]

test('each command tells of itself, and of nothing else, when it is asked for help', async () => {
  assert.ok(names.includes('agent') && names.includes('serve'))
  for (const args of [
    ['agent', 'create', '--help'],
    ['agent', '-h'],
    ['help', 'agent'],
  ]) {
    const { code, output } = await runCommand(args)
    assert.equal(code, 0, output)
    assert.match(output, /^ {2}claviger agent create NAME .*--daily/s)
    assert.doesNotMatch(output, /claviger serve|CLAVIGER_PORT/)
  }
  for (const name of names.filter((one) => one !== 'version')) {
    const { code, output } = await runCommand([name, '--help'])
    assert.deepEqual([code, output.startsWith(`  claviger ${name} `)], [0, true], `${name}: ${output}`)
  }
})

test('help that is asked of the command of somebody else is left to it', async () => {
  const { code, output } = await runCommand(['secret', 'run', '--as', 'absent.env', '--', 'ls', '--help'])
  assert.equal(code, 1, output)
  assert.doesNotMatch(output, /claviger secret run \[/)
})

test('an unknown command is said to be one, and ends with 2', async () => {
  // Every object has a member with the second name.
  for (const name of ['wat', 'constructor'])
    for (const args of [[name], [name, '--help'], ['help', name]]) {
      const { code, output } = await runCommand(args)
      const says = `claviger: there is no command "${name}"; claviger help lists all\n`
      assert.deepEqual([code, output], [2, says])
    }
})
