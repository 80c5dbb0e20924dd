import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { type Source, sources } from './sources.ts'

/** What is declared in files of its own, and the list by which everything else learns of it. */
const lists = [
  { declaration: 'defineActivity', list: 'src/trusted/activities/list.ts' },
  { declaration: 'defineQuery', list: 'src/host/queries/list.ts' },
]

/** Files with a declaration that their list does not import. */
function unlisted(files: readonly Source[]): readonly string[] {
  return lists.flatMap(({ declaration, list }) => {
    const room = posix.dirname(list)
    const text = files.find(({ path }) => path === list)?.text ?? ''
    const listed = importsOf(text).map(({ specifier }) => posix.join(room, specifier))
    return files
      .filter((file) => file.path.startsWith(`${room}/`) && file.text.includes(`= ${declaration}(`))
      .filter(({ path }) => !listed.includes(path))
      .map(({ path }) => `${path} is not in ${list}`)
  })
}

test('each activity and each query is in its list', () => {
  assert.deepEqual(unlisted(sources()), [])
})

test('an activity or a query that is not in its list is seen', () => {
  const planted = [
    { path: 'src/trusted/activities/tags/x.ts', text: 'export const x = defineActivity({' },
    { path: 'src/host/queries/tags/y.ts', text: 'export const y = defineQuery({' },
  ]
  assert.deepEqual(unlisted([...sources(), ...planted]), [
    'src/trusted/activities/tags/x.ts is not in src/trusted/activities/list.ts',
    'src/host/queries/tags/y.ts is not in src/host/queries/list.ts',
  ])
})
