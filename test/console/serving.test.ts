import assert from 'node:assert/strict'
import { rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { projectFolder, type RunningService, runService, start } from '../support/running-service.ts'

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
  const link = /http\S+/.exec(await twoPeople(service))?.[0] ?? ''
  assert.ok(link.startsWith(`${url}#/key/`), link)
  assert.match(await (await fetch(link)).text(), PAGE)
})

test('the example of two people runs again and again, and tells what the terminal says too', async () => {
  const service = await runService('dev')
  after(() => service.kill())
  const [first, second] = [await twoPeople(service), await twoPeople(service)]
  assert.equal(keyIn(first), keyIn(second))
  for (const output of [first, second]) {
    assert.match(output, /2 test ETH to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC/)
    // What a link holds stays in the history of a browser.
    const link = /http\S+/.exec(output)?.[0] ?? ''
    assert.match(link, /#\/key\/[0-9a-f-]{36}\/approvals\/[0-9a-f-]{36}$/)
    const [, digits = ''] = /Digits of the request: (\d{4} \d{4})/.exec(output) ?? []
    const approved = await inShell(/^node .* approve .*$/m.exec(output)?.[0] ?? '', 3)
    assert.match(approved, /Send 2 test ETH .* to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC/)
    assert.match(approved, new RegExp(`computed here: ${digits}$`, 'm'))
    const bob = /--as (\S+)/.exec(output)?.[1] ?? ''
    assert.equal(statSync(resolve(projectFolder, bob)).mode & 0o777, 0o600)
  }
  // Somebody else has the names: others are found.
  const folder = dirname(resolve(projectFolder, /--as (\S+)/.exec(first)?.[1] ?? ''))
  for (const name of ['ada.env', 'bob.env']) rmSync(join(folder, name))
  assert.notEqual(keyIn(await twoPeople(service)), keyIn(first))
})

const keyIn = (output: string): string => /^API_PUBLIC_KEY=.*$/m.exec(output)?.[0] ?? 'no key'

async function twoPeople(service: Pick<RunningService, 'output'>): Promise<string> {
  return await inShell(/^ {2}(node .*two-people\.js .*)$/m.exec(service.output())?.[1] ?? '')
}

async function inShell(command: string, code = 0): Promise<string> {
  const ran = start(['-c', command], {}, { program: 'sh', cwd: projectFolder })
  assert.equal(await ran.ended, code, ran.output())
  return ran.output()
}
