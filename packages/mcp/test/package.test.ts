import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { packOptional } from '../../../release/pack.ts'
import { startClaviger } from '../../../src/host/emulator/start-claviger.ts'
import { pageFile } from '../../../test/documentation/programs/page-file.ts'
import { freePorts } from '../../../test/support/free-port.ts'
import { eventually } from '../../../test/support/eventually.ts'
import {
  ownEnvironment,
  projectFolder,
  start,
  temporaryFolder,
} from '../../../test/support/running-service.ts'
import { toldBy } from './served.ts'

const source = fileURLToPath(new URL('../', import.meta.url))
const folder = temporaryFolder()
// It is ours, and names a version.
const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  version: string
}
const tarball = `claviger-mcp-${version}.tgz`
const claviger = await startClaviger({ seed: 7 })
after(() => claviger.close())
const agent = await claviger.newUser('Agent')
const launcher = join(projectFolder, 'bin', 'claviger.js')
const guide = join(projectFolder, 'docs/how-to/agent-over-mcp.md')

/** Runs a program that came with this Node, or is one of npm's. */
function run(program: string, args: readonly string[], cwd: string): string {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(':')
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, PATH } })
}

test('the package has the emitted server and nothing else, and serves from a folder of packages', async () => {
  packOptional(new URL('../../../', import.meta.url), 'packages/mcp/', folder)
  const files = run('tar', ['tzf', tarball], folder).trim().split('\n')
  const unexpected = files.filter(
    (file) =>
      !/^package\/(dist\/[\w/-]+\.(js|d\.ts|js\.map)|LICENSE|package\.json|npm-shrinkwrap\.json|README\.md)$/.test(
        file,
      ),
  )
  assert.deepEqual(unexpected, [])
  assert.ok(files.includes('package/npm-shrinkwrap.json'), 'its dependencies are pinned')
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'claviger-mcp'), { recursive: true })
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'claviger-mcp')], folder)
  // Its dependencies and no others.
  for (const name of ['@modelcontextprotocol', 'zod'])
    symlinkSync(join(source, 'node_modules', name), join(modules, name))
  const keyFile = join(folder, 'agent.env')
  writeFileSync(keyFile, agent.env(), { mode: 0o600 })
  const client = new Client({ name: 'test', version: '1' })
  const main = join(modules, 'claviger-mcp', 'dist', 'main.js')
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, '--as', keyFile] }))
  const { told } = toldBy(await client.callTool({ name: 'who_am_i', arguments: {} }))
  assert.equal(told.me.userId, agent.userId)
  assert.equal(client.getServerVersion()?.version, version)
  await client.close()

  // As a host starts it that has been given the entry of the guide.
  mkdirSync(join(modules, '.bin'))
  chmodSync(main, 0o755)
  symlinkSync(main, join(modules, '.bin', 'claviger-mcp'))
  const { command = '', args = [] } = entryOf('.mcp.json')
  assert.deepEqual([command, ...args.slice(0, -1)], ['npx', '--yes', 'claviger-mcp', '--as'])
  const PATH = [dirname(process.execPath), process.env['PATH']].join(':')
  const own = args.map((one) => (one.endsWith('.agent.env') ? keyFile : one))
  await tellsWho(
    new StdioClientTransport({ command, args: own, cwd: folder, env: { ...ownEnvironment(), PATH } }),
  )
})

test('a host that has the entry of the guide for HTTP connects to what the guide starts', async () => {
  const own = temporaryFolder()
  const keyFile = join(own, 'agent.env')
  writeFileSync(keyFile, agent.env(), { mode: 0o600 })
  const { url = '', headers = {} } = entryOf('.mcp-http.json')
  const [port = ''] = await freePorts(1)
  const [line = ''] = /^\(umask 077 && .* > mcp-token\)$/m.exec(readFileSync(guide, 'utf8')) ?? []
  run('sh', ['-c', line], own)
  assert.equal(statSync(join(own, 'mcp-token')).mode & 0o777, 0o600)
  const settings = { CLAVIGER_MCP_TOKEN: readFileSync(join(own, 'mcp-token'), 'utf8').trim() }
  assert.deepEqual(headers, { Authorization: 'Bearer TOKEN' })
  const requestInit = { headers: { Authorization: `Bearer ${settings.CLAVIGER_MCP_TOKEN}` } }
  const server = start([launcher, 'mcp', '--as', keyFile, '--http', '--port', port], settings)
  await eventually(() => server.output().includes('listening on'), server.output)
  await tellsWho(new StreamableHTTPClientTransport(new URL(url.replace('4480', port)), { requestInit }))
  server.killGroup()
  await server.ended
})

type Entry = {
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

function entryOf(file: string): Entry {
  const { mcpServers } = JSON.parse(pageFile({ page: 'docs/how-to/agent-over-mcp.md', file }))
  return mcpServers.claviger
}

async function tellsWho(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<void> {
  const client = new Client({ name: 'host', version: '1' })
  await client.connect(transport)
  const { told } = toldBy(await client.callTool({ name: 'who_am_i', arguments: {} }))
  assert.equal(told.me.userId, agent.userId)
  await client.close()
}
