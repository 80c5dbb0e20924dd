import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { present } from '../../../src/trusted/base/assert.ts'
import { projectFolder } from '../../support/running-service.ts'
import { blocksOf } from '../running/blocks.ts'

/** The text of a file that a page lets its reader save. */
export function pageFile({ page, file }: { readonly page: string; readonly file: string }): string {
  const blocks = blocksOf(readFileSync(join(projectFolder, page), 'utf8'))
  return present(
    blocks.find(({ is }) => is.kind === 'file' && is.name === file),
    `${page} has ${file}`,
  ).text
}
