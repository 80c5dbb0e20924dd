import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/running-service.ts'
import { blocksOf } from './running/blocks.ts'

const docs = join(projectFolder, 'docs')
const index = readFileSync(join(docs, 'README.md'), 'utf8')

/** What a stranger does from the guides alone, and what stands in the blocks of the section that shows it. */
const TEN_THINGS: Readonly<Record<string, RegExp>> = {
  'install and start': /npx claviger dev/,
  'make the first signature': /signMessage/,
  'make a wallet': /ACTIVITY_TYPE_CREATE_WALLET/,
  'sign an EIP-1559 transaction': /type: 'eip1559'/,
  'require two of three for large payments': /ACTIVITY_TYPE_APPROVE_ACTIVITY/,
  'make a user with a passkey': /addVirtualAuthenticator/,
  'log a user in by mail': /USAGE_TYPE_LOGIN/,
  'receive a webhook': /x-turnkey-signature/,
  'import a key': /ACTIVITY_TYPE_IMPORT_WALLET/,
  'export a key': /ACTIVITY_TYPE_EXPORT_WALLET/,
}

const rows = [...index.matchAll(/^\| ([^|]+) \| \[[^\]]+\]\(([^#)]+)#([^)]+)\) \|$/gm)]

test('the start page names a section for each of the ten things', () => {
  assert.deepEqual(rows.map(([, thing]) => thing).toSorted(), Object.keys(TEN_THINGS).toSorted())
})

for (const [, thing = '', page = '', heading = ''] of rows)
  test(`the section on how to ${thing} does it, in blocks that run`, () => {
    assert.match(page, /^(tutorials|how-to)\//)
    const blocks = blocksOf(sectionOf(readFileSync(join(docs, page), 'utf8'), heading))
    assert.ok(blocks.some(({ is }) => is.kind === 'commands' || is.kind === 'background'))
    const text = blocks.map((block) => block.text)
    assert.match(text.join('\n'), TEN_THINGS[thing] ?? /^$/)
  })

test('every tutorial, how-to page and explanation stands on the start page', () => {
  const pages = globSync('{tutorials,how-to,explanation}/*.md', { cwd: docs })
  assert.ok(pages.length > 5)
  assert.deepEqual(
    pages.filter((page) => !index.includes(`](${page})`)),
    [],
  )
})

/** From a heading to the next of its rank. */
function sectionOf(text: string, heading: string): string {
  const sections = text.split(/^(?=## )/m)
  const named = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .trim()
      .replaceAll(' ', '-')
  const found = sections.find((section) => named(/^## (.*)$/m.exec(section)?.[1] ?? '') === heading)
  assert.ok(found !== undefined, heading)
  return found
}
