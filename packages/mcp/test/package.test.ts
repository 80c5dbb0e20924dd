import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { packAgentServer } from '../../../release/pack.ts'
import { startClaviger } from '../../../src/host/emulator/start-claviger.ts'
import { projectFolder, temporaryFolder } from '../../../test/support/running-service.ts'
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

/** Runs a program that came with this Node, or is one of npm's. */
function run(program: string, args: readonly string[], cwd: string): string {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(':')
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, PATH } })
}

test('the package has the emitted server and nothing else, and serves from a folder of packages', async () => {
  packAgentServer(new URL('../../../', import.meta.url), folder)
  const files = run('tar', ['tzf', tarball], folder).trim().split('\n')
  const unexpected = files.filter(
    (file) => !/^package\/(dist\/[\w/-]+\.(js|d\.ts|js\.map)|LICENSE|package\.json|README\.md)$/.test(file),
  )
  assert.deepEqual(unexpected, [])
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'claviger-mcp'), { recursive: true })
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'claviger-mcp')], folder)
  // Its dependencies and no others.
  for (const name of ['@modelcontextprotocol', 'zod'])
    symlinkSync(join(source, 'node_modules', name), join(modules, name))
  const agent = await claviger.newUser('Agent')
  const keyFile = join(folder, 'agent.env')
  writeFileSync(keyFile, agent.env(), { mode: 0o600 })
  const client = new Client({ name: 'test', version: '1' })
  const main = join(modules, 'claviger-mcp', 'dist', 'main.js')
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, '--as', keyFile] }))
  const { told } = toldBy(await client.callTool({ name: 'who_am_i', arguments: {} }))
  assert.equal(told.me.userId, agent.userId)
  assert.equal(client.getServerVersion()?.version, version)
  await client.close()
})
