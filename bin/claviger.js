#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { isNodeNewEnough, runOnNode24 } from './with-node.js'

// Within this Node where it is new enough, so that there is no second process to wait and take up memory.
if (isNodeNewEnough()) await import('../src/host/cli/main.ts')
else
  runOnNode24([
    '--max-semi-space-size=8',
    fileURLToPath(new URL('../src/host/cli/main.ts', import.meta.url)),
    ...process.argv.slice(2),
  ])
