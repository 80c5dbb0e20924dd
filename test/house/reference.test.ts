import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { constantsOf, sourceTexts } from '../../src/host/cli/derived/constants.ts'
import { declaredFailures } from '../../src/host/cli/derived/declared-failures.ts'
import { fieldMeanings } from '../../src/host/cli/derived/field-meanings.ts'
import { meaningKey } from '../../src/host/cli/derived/meaning-of.ts'
import { OPERATION_PAGES } from '../../src/host/cli/derived/reference-pages.ts'
import { remedies } from '../../src/host/cli/derived/remedies.ts'
import { unrouted } from '../../src/host/http/unrouted.ts'
import { queries } from '../../src/host/queries/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { fieldsOf } from '../../src/trusted/catalogue/fields.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { olderFormsLeftOut } from '../contract/exceptions.ts'
import { root } from './sources.ts'

const sources = sourceTexts(root)
const declared = declaredFailures(sources, constantsOf(sources))

test('every failure that is declared is on the page of errors, with its words and a remedy', () => {
  const declarations = [...sources]
    .filter(([path]) => !path.startsWith('src/host/cli/derived/'))
    .flatMap(([, text]) => text.match(/\bdefineFailure[<(]/g) ?? [])
  // One is the function itself.
  const texts = declared.reduce((sum, failure) => sum + failure.places, 0)
  assert.equal(texts, declarations.length - 1)
  assert.deepEqual(
    declared.map(({ kind }) => kind),
    Object.keys(remedies).toSorted(),
  )
  const page = readFileSync(new URL('docs/reference/errors.md', root), 'utf8')
  for (const { kind, texts } of declared) {
    assert.ok(page.includes(`\n### ${kind}\n`), kind)
    for (const text of texts) assert.ok(page.includes(`\n${text}\n`), kind)
  }
})

test('a remedy is a sentence or two, and no text of a failure is left with code in it', () => {
  for (const [kind, remedy] of Object.entries(remedies)) assert.match(remedy, /^[A-Z`].*\.$/, kind)
  for (const { kind, texts } of declared)
    for (const text of texts)
      assert.ok(text.trim().length > 10 && !/\$\{|\.slice\(|=>/.test(text), `${kind}: ${text}`)
})

test('every kind that an activity may fail with is declared in a form that is read', () => {
  const kinds = new Set(declared.map(({ kind }) => kind))
  const met = new Set(activities.flatMap(({ fails }) => fails.map(({ kind }) => kind)))
  assert.deepEqual(
    [...met].filter((kind) => !kinds.has(kind)),
    [],
  )
})

test('a method that a path does not take has the status on the page that it is answered with', () => {
  const routes = new Map([['GET /there', async () => ({ kind: 'ok', body: '' }) as const]])
  const answer = unrouted(routes, { method: 'POST', path: '/there' })
  assert.ok(answer.kind === 'error')
  assert.equal(declared.find(({ kind }) => kind === 'methodNotAllowed')?.status, answer.status)
})

test('every field of a request has a meaning on its page, and every meaning a field', () => {
  const fields = [
    ...activities.map((one) => ({ ...one, schema: present(one.forms.at(-1), 'a form').intent.schema })),
    ...queries.map((one) => ({ ...one, schema: one.request.schema })),
  ].flatMap(({ operation, schema }) => fieldsOf(schema).map(({ path }) => ({ operation, path })))
  const keys = fields.map(
    ({ operation, path }) => meaningKey(operation, path) ?? `none of ${operation} ${path}`,
  )
  assert.deepEqual([...new Set(keys)].toSorted(), Object.keys(fieldMeanings).toSorted())
})

test('every operation has a page of its own, and nothing else stands among them', () => {
  const pages = globSync(`${OPERATION_PAGES}*`, { cwd: root }).toSorted()
  const wanted = [...activities, ...queries].map(({ operation }) => `${OPERATION_PAGES}${operation}.md`)
  assert.deepEqual(pages, wanted.toSorted())
})

test('a list that is read in pages tells its order, in which `after` continues', () => {
  const paged = queries.filter(
    ({ operation, request }) => operation.startsWith('list_') && request.fields?.['paginationOptions'],
  )
  assert.ok(paged.length >= 6)
  for (const { operation, summary } of paged) assert.match(summary, /, (newest|oldest) first$/, operation)
})

test('the pages that tell which types are accepted name those that are not', () => {
  for (const page of ['docs/reference/requests.md', 'docs/how-to/from-turnkey.md']) {
    const text = readFileSync(new URL(page, root), 'utf8')
    for (const type of olderFormsLeftOut) assert.ok(text.includes(`\`${type}\``), `${page}: ${type}`)
  }
})
