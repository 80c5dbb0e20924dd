import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'node:test'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(tmpdir(), 'claviger-never-written')

/** With these arguments each would do nothing, or something else than was meant, and seem to have succeeded. */
const WRONG = [
  ['test/crash/run.ts', ['ten'], /^kills has to be a whole number of 1 or more, and not "ten"$/m],
  [
    'test/crash/run.ts',
    ['100', 'seed', '2'],
    /^there are 2 lives, counted from 0: none is left from life 2 on$/m,
  ],
  ['test/faults/run.ts', ['ten'], /^faults has to be a whole number/m],
  [
    'test/faults/run.ts',
    ['10', 'seed', '1', '1'],
    /^there is 1 life, counted from 0: none is left from life 1 on$/m,
  ],
  ['test/faults/run.ts', ['10', 'seed', '0', '0'], /^lives has to be a whole number/m],
  ['test/policies/run.ts', ['1e5'], /^requests has to be a whole number/m],
  ['test/emulator/run.ts', ['--runs', 'x'], /^--runs has to be a whole number/m],
  ['test/properties.ts', ['0'], /^rounds has to be a whole number/m],
  ['test/timing/run.ts', ['x'], /^samples has to be a whole number of 2 or more/m],
  ['test/storage/run.ts', ['s3://bucket/prefix', 'x'], /^megabytes has to be a whole number/m],
  ['test/storage/run.ts', [], /^npm run storage -- s3:\/\/bucket\/prefix \[megabytes\]$/m],
  ['test/conform/run.ts', ['x'], /^cases has to be a whole number/m],
  ['test/scale/run.ts', ['fill'], /^--folder FOLDER is missing$/m],
  ['test/scale/run.ts', ['mesure', '--folder', folder], /^it is fill or measure, and not "mesure"$/m],
  [
    'test/scale/run.ts',
    ['fill', '--folder', folder, '--sub-organizations', 'x'],
    /^--sub-organizations has/m,
  ],
  ['test/scale/run.ts', ['measure', '--folder', folder], /holds nothing to measure: fill it first$/m],
  ['test/mutants/run.ts', ['--room', 'polcy'], /^there is no room polcy: policy, vault, store$/m],
  ['test/mutants/run.ts', ['--sample', 'x'], /^--sample has to be a whole number/m],
  ['test/mutants/run.ts', ['--lanes', '0'], /^--lanes has to be a whole number/m],
  [
    'test/mutants/run.ts',
    ['--in', 'no-such-file'],
    /^no source of the room policy has "no-such-file" in its path$/m,
  ],
  ['test/languages/run.ts', ['perl'], /^there is no walk in perl: python, rust, go$/m],
] as const

describe('a script that is run by hand', { concurrency: 2 }, () => {
  for (const [script, args, said] of WRONG)
    test(`${script} ${args.join(' ')}: is refused before anything is done`, () => {
      const { status, stderr, stdout } = spawnSync(process.execPath, [script, ...args], {
        cwd: root,
        encoding: 'utf8',
        timeout: 30_000,
      })
      assert.match(stderr, said)
      assert.deepEqual([status, stdout], [2, ''])
    })
})
