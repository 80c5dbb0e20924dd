#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { runOnNode24 } from './with-node.js'

runOnNode24([fileURLToPath(new URL('../src/cli/main.ts', import.meta.url)), ...process.argv.slice(2)])
