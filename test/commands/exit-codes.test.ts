import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { test } from 'node:test'
import { commands } from '../../src/host/cli/commands.ts'
import { exitCodeOf } from '../../src/host/cli/exit-code-of.ts'
import { messageOf } from '../../src/host/cli/message-of.ts'
import { UsageError } from '../../src/host/cli/usage.ts'
import {
  devEnvOf,
  runCommand,
  runService,
  type Settings,
  temporaryFolder,
} from '../support/running-service.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { packagesMissing } from '../support/packages-missing.ts'
import { founder, init } from './founder.ts'

/** An address on loopback at which no program listens. */
const NOBODY = '127.0.0.1:1'
const ID = '00000000-0000-4000-8000-000000000000'
/** The generator of P-256. */
const POINT = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'

/** Each call leaves out an argument that its command needs, or has one that the command cannot understand. */
const MISUSES = [
  'init',
  // Names that no activity takes: with an escape, and too long.
  `init --organization \u001b[2J --user Ada --public-key ${POINT}`,
  `init --organization Acme --user ${'a'.repeat(250)} --public-key ${POINT}`,
  'console',
  'console verify',
  'backup',
  // An option with an empty value, as of an unset variable.
  'backup --out ',
  // An option that is given twice, of which one value would be dropped.
  `user erase --organization ${ID} --user ${ID} --user ${ID}`,
  'archive make --to ',
  'verify --state ',
  'move --to ',
  'archive',
  'archive make',
  'archive find --in x',
  'organization export',
  'organization erase',
  'user erase',
  'restore',
  'move',
  'move --to postgres:nowhere',
  'move --to POSTGRES://ada@localhost/claviger',
  'move --to mysql://localhost/claviger',
  'upgrade',
  'emulate --port many',
  'root-key',
  'root-key list 1',
  'root-key retire',
  'root-key retire first',
  // Options of another command of the group, which would have no effect.
  'root-key make --passphrase-file x',
  'root-key make --seal tpm2',
  'root-key add --no-passphrase',
  'root-key rekey --no-passphrase --no-wait',
  // A word that is no command, and a member of every object.
  'root-key constructor --no-passphrase',
  'recovery',
  'recovery create',
  'recovery create --organization x',
  `recovery complete --set x --attempt ${ID} --url http://keys.example.com`,
  'recovery use --seal x --set y',
  'recovery begin',
  'recovery complete --set x',
  'service-key',
  'service-key add moon',
  'service-key retire webhook',
  'quota set',
  'quota show',
  'quota remove',
  'quota set x --objects many',
  'webhooks',
  'webhooks redeliver',
  'webhooks dead --after x',
  'webhooks dead --organization x',
  `webhooks redeliver --all-dead --organization ${ID}`,
  'webhooks redeliver 1 --all-dead',
  'policies',
  'policies lint',
  'policies test',
  'policies try',
  'policies replay',
  'policies explain',
  'approve',
  'agent',
  'agent create',
  'agent show',
  'secret',
  'secret run x',
]

test('a call that a command does not understand ends with 2', async () => {
  for (const call of MISUSES) {
    const [first = '', ...more] = call.split(' ')
    await assert.rejects(
      async () => await commands[first]?.(more),
      (error) => {
        assert.ok(error instanceof UsageError, `${call}: ${error}`)
        assert.equal(exitCodeOf(error), 2)
        return true
      },
      call,
    )
  }
  const dataFolder = join(temporaryFolder(), 'data')
  const { code, output } = await runCommand(['backup', '--to', 'x'], { CLAVIGER_DATA: dataFolder })
  assert.deepEqual([code, /^claviger backup: .*--to/.test(output), existsSync(dataFolder)], [2, true, false])
})

test('a file that is missing, and a folder in the place of a file, are told by their path with what to do', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'README.md')
  writeFileSync(file, '# No JSON')
  for (const [call, told] of [
    ['policies lint', (path: string) => `${path}: `],
    ['policies test', (path: string) => `${path}: `],
    [`approve ${ID} --as`, (path: string) => `${path}: `],
    ['agent list --as', (path: string) => `${path}: `],
    ['recovery rehearse --set', (path: string) => `${path}: `],
    [`recovery complete --attempt ${ID} --set`, (path: string) => `${path}: `],
    ['verify --identity', (path: string) => `${path}: `],
    ['recovery rehearse --from', (path: string) => `the root key file ${path} cannot be read: `],
  ] as const)
    for (const [path, trouble] of [
      [join(folder, 'absent'), 'there is no such file or folder; check the path'],
      [folder, 'it is a folder; name a file'],
    ] as const) {
      const [first = '', ...more] = `${call} ${path}`.split(' ')
      await assert.rejects(
        async () => await commands[first]?.(more),
        (error) => {
          assert.equal(messageOf(error), `${told(path)}${trouble}`, call)
          assert.equal(exitCodeOf(error), 1)
          return true
        },
      )
    }
  await assert.rejects(
    async () => await commands['policies']?.(['lint', file]),
    (error) => messageOf(error).startsWith(`${file} is not JSON: `),
  )
  // Such an error is about an address, which it names, and about no file.
  const socket = join(folder, 'absent', 'vault.sock')
  const [error] = await once(connect(socket), 'error')
  assert.match(messageOf(error), /^connect ENOENT \S+vault\.sock$/)
})

test('no command sends a request to another machine without TLS', async () => {
  const folder = temporaryFolder()
  const as = join(folder, 'as.env')
  const set = join(folder, 'recovery-set.json')
  const baseUrl = 'http://keys.example.com'
  const lines = `BASE_URL=${baseUrl}\nORGANIZATION_ID=${ID}\nAPI_PRIVATE_KEY=${'01'.repeat(32)}\n`
  writeFileSync(as, lines, { mode: 0o600 })
  const shares = ['00'.repeat(32), '01'.repeat(32)]
  writeFileSync(
    set,
    JSON.stringify({
      organizationId: ID,
      baseUrl,
      publicKey: POINT,
      threshold: 2,
      delayHours: 72,
      begins: 'a b c',
      shares,
    }),
  )
  for (const call of [
    `approve ${ID} --as ${as}`,
    `agent list --as ${as}`,
    `policies explain ${ID} --as ${as}`,
    `secret run --as ${as} A -- true`,
    `recovery stop --as ${as}`,
    // Before people are asked for their shares.
    `recovery complete --set ${set} --attempt ${ID}`,
    `recovery complete --set ${set} --attempt ${ID} --url ${baseUrl}`,
  ]) {
    const [first = '', ...more] = call.split(' ')
    await assert.rejects(
      async () => await commands[first]?.(more),
      /must begin with https:\/\/, because keys\.example\.com is none of localhost, 127\.0\.0\.1 and \[::1\]/,
      call,
    )
  }
})

test('no command takes a key file that other users can read or write', async () => {
  const as = join(temporaryFolder(), 'as.env')
  writeFileSync(as, `BASE_URL=http://${NOBODY}\nORGANIZATION_ID=${ID}\nAPI_PRIVATE_KEY=${'01'.repeat(32)}\n`)
  for (const mode of [0o644, 0o640, 0o602, 0o600]) {
    chmodSync(as, mode)
    const says =
      mode === 0o600
        ? /cannot be reached|SIGNER_PUBLIC_KEY is not in/
        : new RegExp(
            `as\\.env .* other users of this machine \\(mode ${mode.toString(8)}\\): chmod 600 it, or set its names in the environment instead$`,
          )
    for (const call of [
      `approve ${ID} --as ${as}`,
      `agent list --as ${as}`,
      `agent create reader --template observer --yes --as ${as}`,
      `policies explain ${ID} --as ${as}`,
      `secret run --as ${as} A -- true`,
      `recovery stop --as ${as}`,
    ]) {
      const [first = '', ...more] = call.split(' ')
      await assert.rejects(async () => await commands[first]?.(more), says, call)
    }
  }
})

test('a service, a database and a vault that do not answer end a command with 4', async () => {
  const { dataFolder, key } = founder()
  const folder = temporaryFolder()
  const as = join(folder, 'as.env')
  await init(dataFolder, key)
  const service = await runService('dev')
  await service.kill()
  writeFileSync(
    as,
    readFileSync(join(service.dataFolder, 'dev.env'), 'utf8').replaceAll(/\d+\.0\.0\.1:\d+/g, NOBODY),
    { mode: 0o600 },
  )
  const request = join(folder, 'request.json')
  writeFileSync(
    request,
    '{"type":"ACTIVITY_TYPE_CREATE_USER_TAG","parameters":{"userTagName":"a","userIds":[]}}',
  )
  const data = { CLAVIGER_DATA: dataFolder }
  const database = { ...data, CLAVIGER_DATABASE_URL: `postgres://ada:hunter2@${NOBODY}/claviger` }
  const bucket = {
    ...data,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'ada',
    AWS_SECRET_ACCESS_KEY: 'hunter2',
    AWS_ENDPOINT_URL_S3: `https://${NOBODY}`,
  }
  const hasS3 = packagesMissing('s3') === false
  const calls: readonly (readonly [call: string, settings: Settings])[] = [
    ...(hasS3 ? ([[`archive find --in s3://bucket/x --organization ${ID}`, bucket]] as const) : []),
    [`policies try ${request} --as ${as}`, data],
    [`policies explain ${ID} --as ${as}`, data],
    [`approve ${ID} --as ${as}`, data],
    [`agent list --as ${as}`, data],
    [`secret run --as ${as} NAME -- true`, data],
    [`recovery stop --as ${as}`, data],
    [`console verify http://${NOBODY}`, data],
    [`unseal --socket ${join(folder, 'absent.sock')}`, data],
    ['serve', database],
    ['verify', database],
    [`backup --out ${join(folder, 'copy')}`, database],
    ['quota list', database],
    ['webhooks backlog', database],
    ['root-key list', database],
    ['upgrade --check', database],
    ['verify', { ...data, CLAVIGER_VAULT: join(folder, 'absent.sock') }],
  ]
  for (const [call, settings] of calls) {
    const { code, output } = await runCommand(call.split(' '), { ...settings, CLAVIGER_PORT: '0' })
    assert.equal(code, 4, `${call}: ${output}`)
    assert.match(output, /^claviger [a-z-]+: [^\n]+\n$/, call)
    assert.doesNotMatch(output, /hunter2/, call)
  }
})

test('an answer that is cut off, and one without an end, end a command with 4', async (t) => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.write('{', () => response.destroy()),
    (response) => pipeline(endless(), response, () => undefined),
  ]
  const server = createServer((_, response) => answers.shift()?.(response)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const as = join(temporaryFolder(), 'as.env')
  const { port } = server.address() as AddressInfo
  const lines = [
    `BASE_URL=http://127.0.0.1:${port}`,
    `ORGANIZATION_ID=${ID}`,
    `API_PRIVATE_KEY=${'01'.repeat(32)}`,
  ]
  writeFileSync(as, lines.join('\n'), { mode: 0o600 })
  for (const why of ['', 'its answer is too long'])
    await assert.rejects(
      async () => await commands['agent']?.(['list', '--as', as]),
      (error) => {
        assert.match(messageOf(error), new RegExp(`was asked, and its answer cannot be read: .*${why}`))
        assert.equal(exitCodeOf(error), 4)
        return true
      },
    )
})

function* endless(): Generator<Buffer> {
  const spaces = Buffer.alloc(8 * 1024 * 1024, ' ')
  for (;;) yield spaces
}

test('a service that answers with 503 ends a command with 4, and its reason is shown', async (t) => {
  const service = await runService('dev')
  t.after(() => service.kill())
  const { ORGANIZATION_ID: organizationId } = devEnvOf(service.dataFolder)
  execFileSync('prlimit', ['--pid', String(service.hostPid), '--fsize=0:'])
  const as = join(service.dataFolder, 'dev.env')
  for (const call of [`recovery stop --as ${as}`, `quota set ${organizationId} --objects 9`]) {
    const { code, output } = await runCommand(call.split(' '), { CLAVIGER_DATA: service.dataFolder })
    assert.match(output, /^claviger [a-z]+: [^\n]*\(503\): (?!it gives no reason)[^\n]+\n$/, call)
    assert.equal(code, 4, output)
  }
})

test('a command whose request cannot be met ends with 1, and one whose request is met with 0', async (t) => {
  const service = await runService('dev')
  t.after(() => service.kill())
  const as = join(service.dataFolder, 'dev.env')
  const { ORGANIZATION_ID: organizationId } = devEnvOf(service.dataFolder)
  const request = join(temporaryFolder(), 'request.json')
  writeFileSync(
    request,
    '{"type":"ACTIVITY_TYPE_CREATE_USER_TAG","parameters":{"userTagName":"a","userIds":[]}}',
  )
  for (const [call, ends] of [
    [`policies try ${request} --as ${as}`, 0],
    [`policies try ${request}.absent --as ${as}`, 1],
    [`policies explain ${ID} --as ${as}`, 1],
    [`approve ${ID} --as ${as}`, 1],
    [`agent list --as ${as}`, 0],
    [`agent show nobody --as ${as}`, 1],
    [`secret run --as ${as} ABSENT -- true`, 1],
    [`console verify ${service.url}`, 0],
    [`quota show ${organizationId}`, 0],
    [`quota show ${ID}`, 1],
    ['webhooks backlog', 0],
    ['webhooks redeliver 999999', 1],
    ['root-key list', 0],
    ['root-key retire 7', 1],
    ['service-key list', 0],
    ['service-key use webhook', 1],
    ['upgrade --check', 1],
    ['verify', 0],
    ['backup --out /dev/null', 1],
  ] as const) {
    const { code, output } = await runCommand(call.split(' '), { CLAVIGER_DATA: service.dataFolder })
    assert.equal(code, ends, `${call}: ${output}`)
    assert.doesNotMatch(output, /\n {4}at /, call)
  }
})

test('the address of a service that was killed leads nowhere while another process has the data', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  t.after(() => service.kill())
  const path = join(dataFolder, 'operator.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), url: `http://${NOBODY}` }))
  // Or its file was cut off when it was killed.
  for (const text of [readFileSync(path, 'utf8'), '{"url":', '']) {
    writeFileSync(path, text)
    const { code, output } = await runCommand(['webhooks', 'backlog'], { CLAVIGER_DATA: dataFolder })
    assert.equal(code, 1)
    assert.match(output, /^claviger webhooks: [^\n]*in use by another process[^\n]*\n$/)
  }
})

test('a database that does not exist is reported in a sentence', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const url = (await freshDatabase()).replace(/\/[^/?]*(\?|$)/, '/absent$1')
  for (const call of [['serve'], ['verify'], ['quota', 'list'], ['upgrade', '--check']]) {
    const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url, CLAVIGER_PORT: '0' }
    const { code, output } = await runCommand(call, settings)
    assert.match(output, /^claviger [a-z]+: [^\n]*"absent"[^\n]*\n$/, call.join(' '))
    assert.equal(code, 1, output)
  }
})
