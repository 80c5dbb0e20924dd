import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from '../console/build.ts'

/** `node release/write-console.ts FOLDER` builds the console of this clone into the folder. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say where to put it')
mkdirSync(folder, { recursive: true })
for (const { name, bytes } of await buildConsole()) writeFileSync(join(folder, name), bytes)
