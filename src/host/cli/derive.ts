import { writeFileSync } from 'node:fs'
import { derivedFiles } from './derived-files.ts'

// `npm run derive`: writes every file that follows from others.
const root = new URL('../../../', import.meta.url)
for (const [path, text] of derivedFiles(root)) {
  writeFileSync(new URL(path, root), text)
  console.log(path)
}
