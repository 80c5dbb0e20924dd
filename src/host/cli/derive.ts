import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { derivedFiles } from './derived-files.ts'
import { OPERATION_PAGES } from './derived/reference-pages.ts'

// `npm run derive`: writes every derived file.
const root = new URL('../../../', import.meta.url)
const files = derivedFiles(root)
// The page of a removed operation is deleted as well.
rmSync(new URL(OPERATION_PAGES, root), { recursive: true, force: true })
mkdirSync(new URL(OPERATION_PAGES, root))
for (const [path, text] of files) {
  writeFileSync(new URL(path, root), text)
  console.log(path)
}
