import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { projectFolder } from '../support/running-service.ts'

/** Of their own, or the root quorum's alone: no policy about another user is about them. */
const OUT_OF_REACH = ['onlySelf', 'rootQuorum']

test('SECURITY.md names the activities that name users, and that a DENY policy about one user misses', () => {
  const page = readFileSync(`${projectFolder}/SECURITY.md`, 'utf8')
  const [, paragraph = ''] = /A DENY policy about one user(.*?)deny these\s+kinds too/s.exec(page) ?? []
  const missing = activities.filter(({ authority, forms, params, operation }) => {
    const names = JSON.stringify(forms.at(-1)?.intent.schema).match(/"\w*[uU]serIds?":/g) ?? []
    const isShown = params?.types['user_id'] !== undefined || OUT_OF_REACH.includes(authority.kind)
    return names.length > 0 && !isShown && !paragraph.includes(`\`${operation}\``)
  })
  assert.deepEqual(
    missing.map(({ operation }) => operation),
    [],
  )
})
