import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import {
  eventsIn,
  runCommand,
  type RunningService,
  runService,
  temporaryFolder,
} from '../support/running-service.ts'

const services = new Set<RunningService>()
after(() => Promise.all([...services].map((service) => service.kill())))

async function opened(...args: Parameters<typeof runService>): Promise<RunningService> {
  const service = await runService(...args)
  services.add(service)
  return service
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function linesOf(path: string): readonly { readonly [name: string]: unknown }[] {
  // What follows the last newline is nothing yet, or a line that is being written at this moment.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

test('the log of requests is a file of its owner, in which the id of an answer leads to its line', async () => {
  const path = join(temporaryFolder(), 'requests.log')
  const service = await opened('dev', { CLAVIGER_REQUEST_LOG: path })
  const asked = async (sent: object) =>
    await fetch(`${service.url}/public/v1/query/whoami`, { method: 'POST', body: '{}', ...sent })
  const [first, second] = [
    await asked({ headers: { traceparent } }),
    await asked({ headers: { traceparent: 'x' } }),
  ]
  await fetch(`${service.url}/a-token-in-a-path`)
  await eventually(() => linesOf(path).length >= 3)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const [one, other, nowhere] = linesOf(path)
  assert.equal(one?.['id'], first.headers.get('x-request-id'))
  assert.equal(other?.['id'], second.headers.get('x-request-id'))
  assert.deepEqual([one?.['traceparent'], other?.['traceparent']], [traceparent, undefined])
  assert.deepEqual([one?.['operation'], one?.['status'], one?.['code']], ['query/whoami', 400, 3])
  assert.deepEqual(
    [nowhere?.['operation'], nowhere?.['status'], nowhere?.['reason']],
    ['none', 404, undefined],
  )
  assert.doesNotMatch(JSON.stringify(nowhere), /a-token/)
  // A monitor of the service asks often, and for no user.
  assert.equal(linesOf(path).length, 3)

  // As logrotate does.
  renameSync(path, `${path}.1`)
  await eventually(async () => {
    await asked({})
    try {
      return linesOf(path).length > 0
    } catch {
      return false
    }
  })
  assert.equal(await service.stop(), 0)
  assert.equal(linesOf(path).at(-1)?.['operation'], 'query/whoami')
})

test('without the setting no request is noted, and with stdout its line stands among the others', async () => {
  const quiet = await opened('dev')
  const answer = await fetch(`${quiet.url}/public/v1/query/whoami`, { method: 'POST', body: '{}' })
  assert.equal(answer.headers.get('x-request-id'), null)
  await quiet.stop()
  assert.deepEqual(eventsIn(quiet.output(), 'request'), [])

  const telling = await opened('dev', { CLAVIGER_REQUEST_LOG: 'stdout' })
  await fetch(`${telling.url}/public/v1/query/whoami`, { method: 'POST', body: '{}' })
  await telling.stop()
  assert.equal(eventsIn(telling.output(), 'request').length, 1)
})

test('a log that cannot be written is said at the start, before anything is made', async () => {
  const [absent, data, folder] = ['absent', 'data', 'folder'].map((name) =>
    join(temporaryFolder(), name),
  ) as [string, string, string]
  mkdirSync(folder)
  const wrong = {
    CLAVIGER_REQUEST_LOG: join(absent, 'requests.log'),
    CLAVIGER_AUDIT: folder,
  }
  const settings = { ...wrong, CLAVIGER_DATA: data, CLAVIGER_PORT: '0' }
  const { code, output } = await runCommand(['dev'], settings)
  assert.equal(code, 1)
  assert.match(output, /^claviger dev: the configuration has 2 problems:$/m)
  assert.match(output, /REQUEST_LOG names \S+requests\.log, which cannot be written: there is no such file/)
  assert.match(output, /AUDIT names \S+folder, which cannot be written: it is a folder; name a file/)
  assert.equal(existsSync(data), false)

  const looked = await runCommand(['doctor'], settings)
  assert.match(looked.output, /^!! {2}CLAVIGER_AUDIT names \S+folder, which cannot be written/m)
})
