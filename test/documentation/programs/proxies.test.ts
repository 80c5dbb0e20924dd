import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testCertificate } from '../../../src/host/outside/testing/certificate.ts'
import { eventually } from '../../support/eventually.ts'
import {
  devEnvOf,
  ownEnvironment,
  runService,
  type Settings,
  type Started,
  start,
  temporaryFolder,
} from '../../support/running-service.ts'
import { stampWith } from '../../support/stamper.ts'
import { freePorts } from '../../support/free-port.ts'
import { pageFile } from './page-file.ts'
import { unless } from './unless.ts'

// The configurations of the page, run by the programs themselves, in front of a service that trusts them as the page
// says.
const page = 'docs/how-to/tls-and-proxies.md'
const NAME = 'kms.example.com'
const MIB = 1_048_576
const [office, stranger] = ['127.0.0.2', '127.0.0.3'] as const

const service = await runService('dev', { CLAVIGER_TRUSTED_PROXIES: '127.0.0.1' })
after(() => service.stop())
const {
  ORGANIZATION_ID: organizationId,
  API_PUBLIC_KEY: publicKey,
  API_PRIVATE_KEY: privateKey,
} = devEnvOf(service.dataFolder)
const key = {
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  privateKey: Buffer.from(privateKey, 'hex'),
  publicKey,
} as const

test('nginx with the configuration of the page', unless('nginx', 'apt-get install nginx'), async () => {
  const [port = ''] = await freePorts(1)
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'key.pem'), testCertificate.key)
  writeFileSync(join(folder, 'certificate.pem'), testCertificate.cert)
  const shown = pageFile({ page, file: 'claviger.conf' })
  const own = shown
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/\S+fullchain\.pem/, join(folder, 'certificate.pem'))
    .replace(/\S+privkey\.pem/, join(folder, 'key.pem'))
    .replace('127.0.0.1:4400', new URL(service.url).host)
  writeFileSync(join(folder, 'claviger.conf'), own)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
     http { access_log off; ${temporary} include claviger.conf; }`,
  )
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
  await asThePageSays(run('nginx', args, {}, folder), {
    port,
    servername: 'localhost',
    ca: testCertificate.cert,
  })
})

test('Caddy with the configuration of the page', unless('caddy', 'apt-get install caddy'), async () => {
  const [port = '', other = ''] = await freePorts(2)
  const folder = temporaryFolder()
  const shown = pageFile({ page, file: 'Caddyfile' })
  // Its certificate comes from an authority of its own in the place of one that it would have to reach.
  const options = `{\n local_certs\n skip_install_trust\n admin off\n https_port ${port}\n http_port ${other}\n}\n`
  writeFileSync(
    join(folder, 'Caddyfile'),
    options + shown.replace('127.0.0.1:4400', new URL(service.url).host),
  )
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const authority = join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt')
  const caddy = run('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], home, folder)
  await asThePageSays(caddy, {
    port,
    servername: NAME,
    get ca() {
      return readFileSync(authority, 'utf8')
    },
  })
})

type Door = { readonly port: string; readonly servername: string; readonly ca: string }

/** What both have to do: carry requests whole, tell whose they are, and take no client's word for it. */
async function asThePageSays(proxy: Started, door: Door): Promise<void> {
  try {
    await eventually(
      async () => {
        if (proxy.child.exitCode !== null) throw new Error(proxy.output())
        return await isServed(door)
      },
      () => proxy.output(),
    )
    const whoami = JSON.stringify({ organizationId })
    assert.equal((await post(door, '/public/v1/query/whoami', whoami, office)).status, 200)

    const allowed = await post(door, '/public/v1/submit/set_ip_allowlist', allowlist(office, true), office)
    assert.equal(allowed.status, 200, allowed.text)
    assert.equal((await post(door, '/public/v1/query/whoami', whoami, office)).status, 200)
    assert.equal((await post(door, '/public/v1/query/whoami', whoami, stranger)).status, 403)
    const lie = { 'x-forwarded-for': office }
    assert.equal((await post(door, '/public/v1/query/whoami', whoami, stranger, lie)).status, 403)

    // A body of the greatest length comes to the service, which says in JSON what it thinks of it.
    const longest = await post(door, '/public/v1/query/whoami', ' '.repeat(MIB), office)
    assert.deepEqual([longest.status, JSON.parse(longest.text).code], [400, 3])

    const open = await post(door, '/public/v1/submit/set_ip_allowlist', allowlist(office, false), office)
    assert.equal(open.status, 200, open.text)
  } finally {
    proxy.killGroup()
    await proxy.ended
  }
}

function allowlist(address: string, enabled: boolean): string {
  return JSON.stringify({
    type: 'ACTIVITY_TYPE_SET_IP_ALLOWLIST',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { rules: [{ cidr: `${address}/32` }], enabled },
  })
}

async function isServed(door: Door): Promise<boolean> {
  try {
    return (await send(door, { path: '/healthz', from: office })).status === 200
  } catch {
    // It does not listen yet, or has no certificate yet.
    return false
  }
}

async function post(door: Door, path: string, body: string, from: string, more: Settings = {}) {
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  return await send(door, { path, from, body, headers: { [stampHeaderName]: stampHeaderValue, ...more } })
}

type Sent = {
  readonly path: string
  readonly from: string
  readonly body?: string
  readonly headers?: Settings
}

function send({ port, servername, ca }: Door, { path, from, body, headers = {} }: Sent) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        ca,
        servername,
        localAddress: from,
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: NAME, ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function run(program: string, args: readonly string[], settings: Settings, cwd: string): Started {
  const { PATH = '' } = ownEnvironment()
  return start(args, { ...settings, PATH: `${PATH}:/usr/sbin` }, { program, cwd })
}
