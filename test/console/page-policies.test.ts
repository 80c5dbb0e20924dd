import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serveConsoleOf } from '../../src/host/cli/console/serve-console-of.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { projectFolder, runService } from '../support/running-service.ts'

/** Where the service writes pages: one of them more is to be fetched below. */
const WRITERS = [
  'src/host/http/file-folder.ts',
  'src/host/http/inbox-routes.ts',
  'src/host/http/operator-page-routes.ts',
]

const FRAMES = ['auth', 'export', 'import', 'export-and-sign']

test('every page that the service shows has a policy which lets in nothing but its own files', async () => {
  const service = await runService('dev', {
    CLAVIGER_FRAMES_ORIGINS: 'https://shop.example',
    CLAVIGER_FRAMES_PORT: '0',
    CLAVIGER_OPERATOR_PORT: '0',
  })
  after(() => service.kill())
  const ownDisk = await serveConsoleOf(service.url, 0)
  after(() => ownDisk.close())
  const told = (name: string): string =>
    present(new RegExp(`"${name}":"([^"]+)"`).exec(service.output())?.[1], name)
  const pages = [
    `${service.url}/console/`,
    `${service.url}/dev/inbox`,
    ownDisk.url.replace('localhost', '127.0.0.1'),
    `${told('operator')}/status`,
    ...FRAMES.map((name) => `${told('frames')}/${name}/`),
  ]
  for (const page of pages) {
    const { status, headers } = await fetch(page)
    assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [200, 'text/html'], page)
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
        const [name = '', ...sources] = part.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    for (const [name, sources] of policy)
      if (name.endsWith('-src')) assert.match(sources, /^'(none|self)'$/, `${name} of ${page}`)
    assert.equal(policy.get('default-src'), "'none'", page)
    assert.equal(policy.get('base-uri'), "'none'", page)
    assert.equal(policy.get('form-action'), "'none'", page)
    assert.equal(policy.get('require-trusted-types-for'), "'script'", page)
    assert.equal(policy.get('trusted-types'), "'none'", page)
    const shownBy = page.startsWith(told('frames')) ? 'https://shop.example' : "'none'"
    assert.equal(policy.get('frame-ancestors'), shownBy, page)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', page)
    assert.equal(headers.get('referrer-policy'), 'no-referrer', page)
    assert.equal(headers.get('set-cookie'), null, page)
  }
})

test('no other place of the service writes a page', () => {
  const writers = globSync('src/host/{http,app,auth-proxy,delivery}/**/*.ts', { cwd: projectFolder })
    .filter((path) => !path.endsWith('.test.ts'))
    .filter((path) => readFileSync(join(projectFolder, path), 'utf8').includes("'text/html"))
  assert.deepEqual(writers.toSorted(), WRITERS)
})
