import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from '../console/build.ts'
import { buildFrames } from '../frames/build.ts'

/** `node release/write-pages.ts console|frames FOLDER` builds what browsers get of this clone into the folder. */
const [name, folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say where to put it')
mkdirSync(folder, { recursive: true })
for (const { name: file, bytes } of name === 'frames' ? await buildFrames() : await buildConsole())
  writeFileSync(join(folder, file), bytes)
