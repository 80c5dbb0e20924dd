import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { answersFromFolders } from './file-folder.ts'
import { pageHeaders } from './page-headers.ts'

const page = { name: 'index.html', bytes: Buffer.from('<!doctype html>'.repeat(9)) }
const script = { name: 'app-1.js', bytes: Buffer.from('0') }

function folder() {
  let reads = 0
  const files = async () => {
    reads++
    return [page, script]
  }
  const answers = answersFromFolders([{ path: '/console/', files, headers: pageHeaders }])
  const ask = (path: string, headers: Record<string, string[]> = {}, method = 'GET') =>
    answers({ method, path, headers, clientAddress: '192.0.2.1' })
  return { ask, reads: () => reads }
}

test('files are answered by their names, the page at the path of the folder, and are read once', async () => {
  const { ask, reads } = folder()
  const found = await ask('/console/')
  assert.equal(found?.status, 200)
  assert.deepEqual(found?.body, page.bytes)
  assert.equal(found?.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal((await ask('/console/app-1.js'))?.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(reads(), 1)
})

test('every answer of a folder has its headers, and none that lets another origin in', async () => {
  const { ask } = folder()
  const answers = await Promise.all([
    ask('/console'),
    ask('/console/'),
    ask('/console/none'),
    ask('/console/', {}, 'POST'),
    ask('/console/', {}, 'OPTIONS'),
    ask('/console/', { 'if-none-match': [(await ask('/console/'))?.headers['etag'] ?? ''] }),
  ])
  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [308, 200, 404, 405, 204, 304],
  )
  for (const answer of answers) {
    assert.equal(answer?.headers['x-content-type-options'], 'nosniff')
    assert.match(answer?.headers['content-security-policy'] ?? '', /^default-src 'none'; script-src 'self';/)
    assert.equal(answer?.headers['access-control-allow-origin'], undefined)
  }
  assert.equal(answers[0]?.headers['location'], '/console/')
})

test('a path that leads out of the folder, or to another one, finds nothing there', async () => {
  const { ask } = folder()
  for (const path of [
    '/console/../index.html',
    '/console/%2e%2e/index.html',
    '/console//index.html',
    '/console/__proto__',
  ])
    assert.equal((await ask(path))?.status, 404, path)
  for (const path of ['/', '/consol', '/console2/', '/healthz']) assert.equal(ask(path), undefined, path)
})

test('it travels compressed to those who take it so', async () => {
  const { ask } = folder()
  const zipped = await ask('/console/', { 'accept-encoding': ['br, gzip'] })
  assert.equal(zipped?.headers['content-encoding'], 'gzip')
  assert.equal(zipped?.headers['vary'], 'accept-encoding')
  assert.deepEqual(gunzipSync(zipped?.body ?? ''), page.bytes)
  assert.equal(
    (await ask('/console/', { 'accept-encoding': ['gzip;q=0'] }))?.headers['content-encoding'],
    undefined,
  )
})

test('files that could not be read are looked for again, and who is not admitted reads none', async () => {
  let tries = 0
  const files = async () => {
    if (tries++ === 0) throw new Error('not built')
    return [page]
  }
  const request = { method: 'GET', path: '/console/', headers: {}, clientAddress: '192.0.2.1' }
  const answers = answersFromFolders([{ path: '/console/', files, headers: {} }])
  await assert.rejects(async () => await answers(request), /not built/)
  assert.equal((await answers(request))?.status, 200)
  const refusing = answersFromFolders([{ path: '/console/', files, headers: {} }], () => {
    throw new Error('too many')
  })
  assert.throws(() => refusing(request), /too many/)
  assert.equal(tries, 2)
})
