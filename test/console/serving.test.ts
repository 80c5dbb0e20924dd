import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { projectFolder, runService, start } from '../support/running-service.ts'

const PAGE = /<div id="app">/

test('the console is at the port of the service, under headers that let nothing else in', async () => {
  const service = await runService('dev')
  after(() => service.kill())
  assert.match(service.output(), /The console, where .*dev\.env signs in: http:\/\/localhost:\d+\/console\//)
  const front = await (await fetch(`${service.url}/`)).json()
  assert.equal((front as { readonly console?: string }).console, '/console/')
  const answer = await fetch(`${service.url}/console/`, { headers: { origin: 'https://example.com' } })
  assert.match(await answer.text(), PAGE)
  const inbox = await fetch(`${service.url}/dev/inbox`)
  assert.match(await inbox.text(), /rel="stylesheet" href="\/dev\/inbox\.css"/)
  assert.match(await (await fetch(`${service.url}/dev/inbox.css`)).text(), /overflow-wrap/)
  for (const { headers } of [answer, inbox]) {
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/)
    assert.doesNotMatch(policy, /unsafe|data:|\*/)
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('the console can be switched off, and then nothing of it is there', async () => {
  const service = await runService('dev', { CLAVIGER_CONSOLE: 'off' })
  after(() => service.kill())
  assert.doesNotMatch(service.output(), /console/)
  assert.equal((await fetch(`${service.url}/console/`)).status, 404)
  assert.doesNotMatch(await (await fetch(`${service.url}/`)).text(), /console/)
})

test('at a port of its own the console has the interface beside it, and the other port has no console', async () => {
  const service = await runService('dev', { CLAVIGER_CONSOLE: '0' })
  after(() => service.kill())
  const [, url = ''] = /signs in: (\S+)/.exec(service.output()) ?? []
  assert.match(await (await fetch(url)).text(), PAGE)
  assert.equal((await fetch(new URL('/healthz', url))).status, 200)
  assert.equal((await fetch(`${service.url}/console/`)).status, 404)

  // The example that the greeting names leads to the console, wherever that is.
  const [, command = ''] = /^ {2}(node .*two-people\.js .*)$/m.exec(service.output()) ?? []
  const example = start(['-c', command], {}, { program: 'sh', cwd: projectFolder })
  assert.equal(await example.ended, 0, example.output())
  const [link = ''] = /http\S+/.exec(example.output()) ?? []
  assert.ok(link.startsWith(`${url}#/approvals/`), link)
  assert.match(await (await fetch(link)).text(), PAGE)
})
