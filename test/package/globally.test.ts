import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { temporaryFolder } from '../support/running-service.ts'
import { globalCommand } from './global-command.ts'
import { packed } from './packed.ts'

const { npm, oldest, newest, version } = packed

test('npm i -g installs one command, which runs on every Node that the package is for', () => {
  for (const { program } of [oldest, newest]) {
    const { status, stdout, stderr } = spawnSync(program, [globalCommand, 'version'], { encoding: 'utf8' })
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `claviger ${version}\n`, stderr: '' })
  }
})

test('a Node that is too old is told in one line which is wanted, and how npx gets it', () => {
  for (const old of ['18.20.8', '20.19.0', '22.12.0', '23.11.1']) {
    const { status, stdout, stderr } = runAs(old, [globalCommand, 'dev'])
    assert.deepEqual(
      { status, stdout, stderr },
      {
        status: 1,
        stdout: '',
        stderr:
          `claviger needs Node 24, or 22.13 or a later 22; this is v${old}. ` +
          'npm brings one for this command alone: npx -p node@24 -p claviger claviger dev\n',
      },
    )
  }
  for (const good of ['22.13.0', '24.0.0', '26.1.0'])
    assert.equal(runAs(good, [globalCommand, 'version']).stdout, `claviger ${version}\n`, good)
})

test('npm pack in a clone stops, and says what makes the package', () => {
  const stopped = /npm run package -- --out FOLDER/
  assert.throws(() => npm.npm(['pack', '--pack-destination', temporaryFolder()], packed.clone), stopped)
})

/** Runs this Node as if it were of another version. */
function runAs(node: string, args: readonly string[]) {
  const versions = JSON.stringify({ ...process.versions, node })
  const pretend = `Object.defineProperties(process, { versions: { value: ${versions} }, version: { value: 'v${node}' } })`
  return spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, ...args],
    {
      encoding: 'utf8',
    },
  )
}
