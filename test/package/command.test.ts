import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { ready, type Started, temporaryFolder } from '../support/running-service.ts'
import { globalCommand } from './global-command.ts'
import { installed } from './installed.ts'
import type { Node } from './nodes.ts'
import { packed } from './packed.ts'

const { npm, oldest, newest, tarball, version } = packed
const KEY = '02d0de0aaeaefad02b8bdc8a01a1b8b11c696bd3d66a2c5f10780d95b7df42645c'

type Way = {
  readonly name: string
  readonly node: Node
  readonly command: readonly [string, ...string[]]
  readonly anEmptyFolder: () => string
  /** Where it is installed. */
  readonly package: () => string
}

/** npx reads a tarball anew at each call, which takes seconds: but for one call it finds what is installed around. */
const ways: readonly Way[] = [
  {
    name: `npx claviger on Node ${newest.version}`,
    node: newest,
    command: ['npx', 'claviger'],
    anEmptyFolder: () => mkdtempSync(join(installed, 'empty-')),
    package: () => join(installed, 'node_modules', 'claviger'),
  },
  {
    name: `claviger, installed by npm i -g, on Node ${oldest.version}`,
    node: oldest,
    command: [globalCommand],
    anEmptyFolder: temporaryFolder,
    package: () => join(dirname(realpathSync(globalCommand)), '..'),
  },
]

for (const { name, node, command, anEmptyFolder, package: installation } of ways) {
  const run = (args: readonly string[], folder: string): Started => {
    const settings = { CLAVIGER_PORT: '0', CLAVIGER_DRAIN_SECONDS: '0' }
    return npm.startBy(node.program, [...command, ...args], folder, settings)
  }

  test(`${name} runs in an empty folder: version, dev and the first signature`, async () => {
    const folder = anEmptyFolder()
    assert.deepEqual(await endOf(run(['version'], folder)), { code: 0, output: `claviger ${version}\n` })
    const mcp = await endOf(run(['mcp'], folder))
    assert.equal(mcp.code, 1)
    assert.match(
      mcp.output,
      /^claviger mcp: the server is a package of its own: npm install claviger-mcp, with --global if claviger was installed so\n$/,
    )
    const dev = await ready(run(['dev'], folder), join(folder, '.claviger'), 'Stop with Ctrl-C')
    try {
      const example = /^ {2}(node \S*examples\/first-signature\.js .*)$/m.exec(dev.output())?.[1]
      const pasted = await endOf(npm.startBy(node.program, ['sh', '-c', example ?? 'false'], folder))
      assert.equal(pasted.code, 0, pasted.output)
      assert.match(pasted.output, /Its Ethereum address: 0x[0-9a-fA-F]{40}/)
      assert.equal((await fetch(`${dev.url}/openapi.json`)).status, 200)
      const rekeyed = await endOf(run(['root-key', 'rekey', '--seal', 'aws-kms key=alias/one'], folder))
      assert.match(
        rekeyed.output,
        /needs a package of its own: npm install claviger-aws-kms, with --global if claviger was installed so$/m,
      )
      const archived = await endOf(run(['archive', 'make', '--to', 's3://archives/one'], folder))
      assert.match(
        archived.output,
        /needs a package of its own: npm install claviger-s3, with --global if claviger was installed so$/m,
      )
    } finally {
      await interrupted(dev)
    }
    assert.doesNotMatch(dev.output(), /warning|experimental/i)
    assert.match(dev.output(), /"secp256k1":"native"/)
  })

  test(`${name} runs in an empty folder: init, doctor and serve`, async () => {
    const folder = anEmptyFolder()
    const found = ['init', '--organization', 'Treasury', '--user', 'Ada', '--public-key', KEY]
    const founded = await endOf(run(found, folder))
    assert.equal(founded.code, 0, founded.output)
    assert.ok(existsSync(join(folder, '.claviger', 'root.key')))
    const copied = await endOf(run(['backup', '--out', 'monday.backup'], folder))
    assert.equal(copied.code, 0, copied.output)
    const read = await endOf(run(['verify', '--backup', 'monday.backup'], folder))
    assert.equal(read.code, 0, read.output)
    const looked = await endOf(run(['doctor'], folder))
    assert.equal(looked.code, 0, looked.output)
    const serve = await ready(run(['serve'], folder), join(folder, '.claviger'), '')
    try {
      // Its vault may read what is installed and its key, and nothing else.
      const line = readFileSync(`/proc/${serve.vaultPid}/cmdline`, 'utf8').split('\0')
      assert.equal(line[0], node.program)
      const readable = line.flatMap((part) => /^--allow-fs-read=(.*)$/.exec(part)?.[1] ?? [])
      const places = readable.filter((path) => path !== '/etc/alpine-release')
      assert.equal(places.pop(), join(folder, '.claviger', 'root.key'))
      assert.equal(places.length, 4)
      assert.ok(
        places.every((path) => path.includes('/node_modules/')),
        places.join(),
      )
    } finally {
      await interrupted(serve)
    }
    assert.match(serve.output(), /"event":"drained"/)
  })

  test(`${name} runs in an empty folder: emulate, which leaves nothing there, and what it compiled beside its code`, async () => {
    const folder = anEmptyFolder()
    const emulator = run(['emulate', '--seed', '7', '--json'], folder)
    await eventually(() => emulator.output().includes('\n'), emulator.output)
    try {
      const { baseUrl, organizationId } = JSON.parse(emulator.output()) as Record<string, string>
      assert.match(organizationId ?? '', /^[0-9a-f-]{36}$/)
      assert.equal((await fetch(`${baseUrl}/emulator`)).status, 200)
    } finally {
      await interrupted(emulator)
    }
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(readdirSync(join(installation(), '.compiled')).length, 1)
  })
}

test(`npx brings the package into an empty folder and runs it on Node ${oldest.version}`, async () => {
  const { output } = await endOf(
    npm.startBy(
      oldest.program,
      ['npx', '--yes', '--package', tarball, 'claviger', 'version'],
      temporaryFolder(),
    ),
  )
  assert.equal(output, `claviger ${version}\n`)
})

async function endOf({
  ended,
  output,
}: Started): Promise<{ readonly code: number | null; readonly output: string }> {
  const code = await ended
  return { code, output: output() }
}

/** Ctrl-C, which reaches npx, the shell between, the host and the vault; npx itself ends by the signal. */
async function interrupted(started: {
  readonly pid: number
  readonly ended: Promise<number | null>
}): Promise<void> {
  process.kill(-started.pid, 'SIGINT')
  await started.ended
}
