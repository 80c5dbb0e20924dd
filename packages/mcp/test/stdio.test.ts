import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startClaviger } from '../../../src/host/emulator/start-claviger.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { projectFolder, runCommand, start, temporaryFolder } from '../../../test/support/running-service.ts'
import { toldBy } from './served.ts'

// The command as people start it, in a process of its own.
const claviger = await startClaviger({ seed: 7 })
after(() => claviger.close())
const agent = await claviger.newUser('Agent')
const keyFile = join(temporaryFolder(), 'agent.env')
writeFileSync(keyFile, agent.env(), { mode: 0o600 })
const launcher = join(projectFolder, 'bin', 'claviger.js')

async function whoAmI(client: Client): Promise<void> {
  const { told } = toldBy(await client.callTool({ name: 'who_am_i', arguments: {} }))
  assert.equal(told.me.userId, agent.userId)
}

for (const mode of ['legacy', 'auto'] as const)
  test(`a host speaks with "claviger mcp" over standard input and output (${mode})`, async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'mcp', '--as', keyFile],
    })
    await client.connect(transport)
    assert.equal(client.getServerVersion()?.name, 'claviger')
    assert.match(client.getInstructions() ?? '', /No tool changes rights/)
    assert.equal((await client.listTools()).tools.length, 10)
    await whoAmI(client)
    await client.close()
  })

test('the server alone does the same, started as its package starts it', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, '--as', keyFile] }))
  await whoAmI(client)
  await client.close()
})

test('it ends with its input, also where that is a file', async () => {
  const command = `exec "${process.execPath}" "${launcher}" mcp --as "${keyFile}" < /dev/null`
  const { ended, output } = start(['-c', command], {}, { program: 'sh' })
  assert.equal(await ended, 0, output())
})

test('over HTTP it says where it listens and its token, and ends at a signal', async () => {
  const { child, output, ended } = start([launcher, 'mcp', '--as', keyFile, '--http', '--port', '0'], {})
  const found = (pattern: RegExp) => pattern.exec(output())?.[1]
  await eventually(() => found(/token (\S{43})\n/) !== undefined, output)
  const token = found(/token (\S+)\n/)
  const url = found(/listening on (\S+)\n/) ?? ''
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  await whoAmI(client)
  await client.close()
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('a token of one’s own is not printed, and a short one is refused', async () => {
  const own = 'x'.repeat(40)
  const args = [launcher, 'mcp', '--as', keyFile, '--http', '--port', '0']
  const { child, output, ended } = start(args, { CLAVIGER_MCP_TOKEN: own })
  await eventually(() => output().includes('listening on'), output)
  child.kill('SIGTERM')
  await ended
  assert.doesNotMatch(output(), /token|xxxx/)
  const short = await runCommand(['mcp', '--as', keyFile, '--http'], { CLAVIGER_MCP_TOKEN: 'short' })
  assert.deepEqual([short.code, short.output.includes('CLAVIGER_MCP_TOKEN has fewer than 32')], [1, true])
})

test('what is wrong at the start is one sentence on standard error', async () => {
  const open = join(temporaryFolder(), 'open.env')
  writeFileSync(open, 'BASE_URL=http://127.0.0.1:1\n')
  chmodSync(open, 0o644)
  for (const [args, ends, says] of [
    [
      ['--as', open],
      1,
      /^claviger mcp: .*open\.env can be read by other users of this machine \(mode 644\): chmod 600 it\n$/,
    ],
    [
      ['--as', '/nowhere/x.env'],
      1,
      /^claviger mcp: \/nowhere\/x\.env cannot be read \(there is no such file\): --as names the key file of the agent\n$/,
    ],
    [['--as', keyFile, '--port', '1'], 2, /^claviger mcp: --port goes with --http\n$/],
    [['--as', keyFile, '--http', '--port', '65536'], 2, /^claviger mcp: --port is no port: 65536\n$/],
    [['--as', keyFile, '--approve'], 2, /^claviger mcp: Unknown option '--approve'/],
    [['--as', open, '--as', keyFile], 2, /^claviger mcp: --as is given twice: give it once\n$/],
    [
      ['--http', '--port', '0', '--port', '4480', '--as', keyFile],
      2,
      /^claviger mcp: --port is given twice: give it once\n$/,
    ],
    [['--as', ''], 2, /^claviger mcp: --as is empty: give it a value, or leave it out\n$/],
    [
      [],
      1,
      /^claviger mcp: BASE_URL is not in the environment; --as FILE names the key file of the agent\n$/,
    ],
  ] as const) {
    const { code, output } = await runCommand(['mcp', ...args])
    assert.equal(code, ends, output)
    assert.match(output, says)
  }
})
