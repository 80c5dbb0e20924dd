import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { encryptSecretToBundle } from '@turnkey/crypto'
import { callerFrom } from '../../src/host/cli/caller.ts'
import { exportedSecrets } from '../../src/host/cli/secret/exported-secrets.ts'
import { steersPrograms, wantedSecrets } from '../../src/host/cli/secret/wanted-secrets.ts'
import { startClaviger } from '../../src/host/emulator/start-claviger.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import { aLyingHost } from '../support/lying-host.ts'
import { unless } from '../documentation/programs/unless.ts'
import { projectFolder, start, temporaryFolder } from '../support/running-service.ts'

const claviger = await startClaviger({ clock: 'real' })
after(() => claviger.close())
const { root, organizationId, serviceKeys } = claviger
const folder = temporaryFolder()
const launcher = join(projectFolder, 'bin', 'claviger.js')

writeFileSync(join(folder, 'root.env'), `${root.env()}SIGNER_PUBLIC_KEY=${serviceKeys.signer}\n`, {
  mode: 0o600,
})

async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { ended, output } = start([launcher, ...args], {}, { cwd: folder })
  return { code: await ended, output: output() }
}

async function imported(name: string, plaintext: string, owner?: string): Promise<string> {
  const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'
  const begun = await root.submit('init_import_secrets', { encryptionSuite, numSecrets: 1 })
  const [ingressTargetBundle] = begun.json.activity.result.initImportSecretsResult.enclaveTargetMessages
  const bundle = await encryptSecretToBundle({
    plaintext,
    ingressTargetBundle,
    organizationId,
    dangerouslyOverrideSignerPublicKey: serviceKeys.signer,
  })
  const staticProperties = owner === undefined ? [] : [{ key: 'agent', value: owner }]
  const secrets = [{ ...bundle, encryptionSuite, name, staticProperties }]
  const { json } = await root.submit('import_secrets', { secrets })
  return json.activity.result.importSecretsResult.secretIds[0]
}

const printed = (...names: readonly string[]) => [
  '--',
  process.execPath,
  '-e',
  `console.log(JSON.stringify([${names.map((name) => `process.env.${name}`).join()}, process.env.API_PRIVATE_KEY])); process.exit(7)`,
]

test('a command gets the secrets that are granted, in its environment and nowhere else', async () => {
  await imported('DB_PASSWORD', 'hunter2\nä€', 'reader')
  await imported('service token', 'abc', 'reader')
  await imported('OTHER', 'not yours')
  const made = await run(
    'agent',
    'create',
    'reader',
    '--template',
    'secrets-reader',
    '--as',
    'root.env',
    '--yes',
  )
  assert.equal(made.code, 0, made.output)
  const as = ['--as', 'reader.agent.env']
  const both = await run(
    'secret',
    'run',
    ...as,
    'DB_PASSWORD',
    'TOKEN=service token',
    ...printed('DB_PASSWORD', 'TOKEN'),
  )
  assert.deepEqual([both.code, JSON.parse(both.output)], [7, ['hunter2\nä€', 'abc', null]])
  const other = await run('secret', 'run', ...as, 'OTHER', ...printed('OTHER'))
  assert.equal(other.code, 1)
  assert.match(other.output, /^claviger secret: .* refuses \(403\)/)
  assert.doesNotMatch(other.output, /not yours/)
})

test('without names an agent gets all that is marked as its own', async () => {
  await imported('API_TOKEN', 'xyz', 'lister')
  await run('agent', 'create', 'lister', '--template', 'secrets-reader', '--as', 'root.env', '--yes')
  const all = await run('secret', 'run', '--as', 'lister.agent.env', ...printed('API_TOKEN', 'DB_PASSWORD'))
  assert.deepEqual([all.code, JSON.parse(all.output)], [7, ['xyz', null, null]])
})

test('a name that controls programs is not taken from who has imported the secret', async () => {
  await imported('NODE_OPTIONS', '--version', 'steered')
  await run('agent', 'create', 'steered', '--template', 'secrets-reader', '--as', 'root.env', '--yes')
  const { code, output } = await run('secret', 'run', '--as', 'steered.agent.env', ...printed('NODE_OPTIONS'))
  assert.deepEqual([code, /NODE_OPTIONS controls programs/.test(output)], [1, true], output)
})

test('names by which a text becomes a command are among those that control programs', () => {
  // Each of them makes a shell, a pager, a JVM, make, tar, go or an interpreter run a command that its value has.
  const names = ['NODE_OPTIONS', 'PATH', 'https_proxy', 'PS4', 'LD_PRELOAD', '_JAVA_OPTIONS', 'MAVEN_OPTS']
  const more = [
    'LESSOPEN',
    'MAKEFLAGS',
    'GOFLAGS',
    'TAR_OPTIONS',
    'LUA_INIT',
    'VIMINIT',
    'AWS_PAGER',
    'CLASSPATH',
  ]
  const programs = ['DOTNET_STARTUP_HOOKS', 'GCONV_PATH', 'SUDO_ASKPASS', 'PHPRC']
  const free = [...names, ...more, ...programs].filter((name) => !steersPrograms(name))
  assert.deepEqual(free, [])
  const secrets = [
    'DB_PASSWORD',
    'API_TOKEN',
    'STRIPE_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'DATABASE_URL',
    'GITHUB_TOKEN',
  ]
  assert.deepEqual(secrets.filter(steersPrograms), [])
})

test('a name that two secrets have is refused, and an id is taken', async () => {
  const first = await imported('TWICE', 'one', 'reader')
  await imported('TWICE', 'two', 'reader')
  const as = ['--as', 'reader.agent.env']
  const named = await run('secret', 'run', ...as, 'TWICE', ...printed('TWICE'))
  assert.equal(named.code, 1)
  assert.match(named.output, /several secrets are called TWICE: TWICE=ID names one/)
  const byId = await run('secret', 'run', ...as, `TWICE=${first}`, ...printed('TWICE'))
  assert.deepEqual(JSON.parse(byId.output), ['one', null])
})

test('a secret that the known signer of the service has not signed is not handed on', async () => {
  const file = readFileSync(join(folder, 'reader.agent.env'), 'utf8')
  const another = file.replace(/^SIGNER_PUBLIC_KEY=.*$/m, `SIGNER_PUBLIC_KEY=${serviceKeys.session}`)
  assert.notEqual(another, file)
  writeFileSync(join(folder, 'another.env'), another, { mode: 0o600 })
  const { code, output } = await run(
    'secret',
    'run',
    '--as',
    'another.env',
    'DB_PASSWORD',
    ...printed('DB_PASSWORD'),
  )
  assert.equal(code, 1)
  assert.match(output, /not signed by the service/)
  writeFileSync(join(folder, 'none.env'), file.replace(/^SIGNER_PUBLIC_KEY=.*\n/m, ''), { mode: 0o600 })
  const without = await run('secret', 'run', '--as', 'none.env', 'DB_PASSWORD', ...printed('DB_PASSWORD'))
  assert.match(without.output, /SIGNER_PUBLIC_KEY is not in none\.env/)
})

test('a host gives no secret in the place of another one that was named by its id', async (t) => {
  const ids = [await imported('USER', 'ada'), await imported('PASSWORD', 'hunter2')] as const
  const host = await aLyingHost(claviger.baseUrl)
  t.after(() => host.close())
  const names = Object.fromEntries(
    root
      .env()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
  const caller = callerFrom(undefined, { ...names, BASE_URL: host.baseUrl })
  const given = async (...wanted: readonly string[]) =>
    await exportedSecrets(await wantedSecrets(wanted, caller), serviceKeys.signer, caller, realWorld)
  const [user, password] = ids
  const wanted = [`A=${user}`, `B=${password}`]
  assert.deepEqual(await given(...wanted), { A: 'ada', B: 'hunter2' })

  host.tells((answer) => answer.replaceAll(user, password).replace(`"name":"PASSWORD"`, `"name":"${user}"`))
  assert.deepEqual(await given(`A=${user}`), { A: 'ada' })

  host.tells((answer) => {
    const json = JSON.parse(answer)
    json.activity?.result.exportSecretsResult.secretPayloads.reverse()
    return JSON.stringify(json)
  })
  await assert.rejects(given(...wanted), { name: 'ServiceError', message: /does not open/ })
})

test(
  'a command gets one signal for one Ctrl-C, which reaches every process of the terminal',
  unless('script', 'apt-get install util-linux'),
  async () => {
    // The signal to the parent is passed on behind the first one, and so ends the counting.
    const counts = `let count = 0
      process.on('SIGINT', () => { count++ })
      process.on('SIGTERM', () => { console.log('interrupted ' + count); process.exit() })
      require('node:net').createServer().listen(0, '127.0.0.1')
      process.kill(0, 'SIGINT')
      process.kill(process.ppid, 'SIGTERM')`
    writeFileSync(join(folder, 'counts.cjs'), counts)
    const { execPath } = process
    const command = `${execPath} ${launcher} secret run --as root.env OTHER -- ${execPath} counts.cjs`
    const { ended, output } = start(['-qec', command, '/dev/null'], {}, { program: 'script', cwd: folder })
    await ended
    assert.match(output(), /^interrupted 1\r?$/m)
  },
)

test('what cannot be run is told in a sentence', async () => {
  for (const [args, ends, wanted] of [
    [['secret'], 2, /one of: run/],
    [['secret', 'run', 'X'], 2, /takes names of secrets, --, and a command/],
    [['secret', 'run', '--as', '', '--', 'true'], 2, /--as is empty/],
    [['secret', 'run', '--as=a.env', '--as', 'b.env', '--', 'true'], 2, /--as is given twice/],
    [['secret', 'run', '--us=a.env', '--', 'true'], 2, /Unknown option '--us'/],
    [['secret', 'run', '--as=reader.agent.env', 'NOT_THERE', '--', 'true'], 1, /no secret called NOT_THERE/],
    [
      ['secret', 'run', '--as', 'reader.agent.env', 'NOT_THERE', '--', 'true'],
      1,
      /there is no secret called NOT_THERE/,
    ],
    [
      ['secret', 'run', '--as', 'reader.agent.env', 'a b', '--', 'true'],
      1,
      /a b is not a valid name of a variable/,
    ],
    [
      ['secret', 'run', '--as', 'reader.agent.env', 'DB_PASSWORD', '--', 'claviger-no-such-program'],
      1,
      /claviger-no-such-program: there is no such file or folder/,
    ],
  ] as const) {
    const { code, output } = await run(...args)
    assert.equal(code, ends, output)
    assert.match(output, wanted)
    assert.doesNotMatch(output, /\n {4}at /)
  }
})
