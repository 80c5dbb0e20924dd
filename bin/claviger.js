#!/usr/bin/env node
// The command. It is the same file in a clone, which runs its sources, and in the package, which carries JavaScript
// made of them. It is written in plain JavaScript because it has to start on a Node that is too old for the rest.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const emitted = new URL('../lib/host/cli/main.js', import.meta.url)

if (existsSync(emitted)) await runPackage()
else await runClone()

async function runPackage() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || major === 23 || (major === 22 && minor < 13)) {
    const command = ['claviger', ...process.argv.slice(2, 3)].join(' ')
    console.error(
      `claviger needs Node 24, or 22.13 or a later 22; this is ${process.version}. ` +
        `npm brings one for this command alone: npx -p node@24 -p claviger ${command}`,
    )
    process.exit(1)
  }
  sayNothingOfSqlite()
  await import(emitted.href)
}

/** Node 22 warns at each start that its SQLite is an experiment. The tests of the store run on it. */
function sayNothingOfSqlite() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...more) => {
    if (more[0] !== 'ExperimentalWarning' || !String(warning).startsWith('SQLite'))
      emitWarning.call(process, warning, ...more)
  }
}

async function runClone() {
  const { isNodeNewEnough, runOnNode24 } = await import('./with-node.js')
  const main = new URL('../src/host/cli/main.ts', import.meta.url)
  // Within this Node where it is new enough, so that there is no second process to wait and take up memory.
  if (isNodeNewEnough()) await import(main.href)
  else runOnNode24([fileURLToPath(main), ...process.argv.slice(2)])
}
