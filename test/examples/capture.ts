import { writeFileSync } from 'node:fs'
import { EXAMPLES_PATH } from '../../src/host/cli/derived/examples.ts'
import { root } from '../house/sources.ts'
import { takenExamples } from './taken-examples.ts'

// The first half of `npm run derive`: the pages and the document that it writes next show these.
writeFileSync(new URL(EXAMPLES_PATH, root), `${JSON.stringify(await takenExamples(), null, 1)}\n`)
console.log(EXAMPLES_PATH)
