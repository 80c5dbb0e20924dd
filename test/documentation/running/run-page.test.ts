import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPage } from './run-page.ts'

// A page that starts its own service runs without one, unless this is what is tried.
const NO_SERVICE = '```sh background\necho claviger dev\n```\n\n```text output\nclaviger dev\n```\n\n'
const runAlone = async (page: string) => await runPage(NO_SERVICE + page)

const fails = async (page: string, problem: RegExp): Promise<void> => {
  await assert.rejects(runAlone(page), { message: problem })
}

const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n\n`

test('the blocks of a page run in order, in one folder and one terminal', async () => {
  const page = [
    'Write `greet.mjs`:\n\n',
    fence('js file=greet.mjs', 'console.log(process.env.GREETING, process.argv[2])'),
    fence('sh', 'export GREETING=Hello\nmkdir below'),
    fence('sh', 'node greet.mjs Ada && cd below'),
    fence('text output', 'Hello …'),
    fence('sh', 'basename "$PWD"'),
    fence('text output', 'below'),
    fence('sh fails', 'node ../absent.mjs'),
    fence('text output', '…\nError: Cannot find module …\n…'),
  ].join('')
  assert.deepEqual(await runAlone(page), { ran: 10, leftOut: [] })
})

test('what goes on in another terminal is compared with what it has written by then', async () => {
  const started = fence('sh background', 'echo on; tail -f lines.txt') + fence('text output', 'on')
  const page = fence('sh', 'touch lines.txt') + started + fence('sh', 'echo two >> lines.txt')
  await runAlone(page + fence('text output of=lines.txt', 'on\ntwo'))
  await fails(page + fence('text output of=other.txt', 'on'), /there is no command whose output this is/)
})

test('a command that fails is found, also in the middle of its block, and one that should fail and does not', async () => {
  await fails(fence('sh', 'true\nfalse\necho on'), /line 10: the commands fail \(1\)/)
  await fails(fence('sh', 'node -e "process.exit(3)"'), /the commands fail/)
  await fails(fence('sh fails', 'true'), /the commands succeed/)
})

test('an output that is not as shown is found: another line, a missing one, one more', async () => {
  const said = fence('sh', "printf 'one\\ntwo\\n'")
  for (const shown of ['one', 'one\nthree', 'one\ntwo\nthree', 'o.e\ntwo', 'two'])
    await fails(said + fence('text output', shown), /the output is not as shown, but:\none\ntwo/)
  for (const shown of ['one\ntwo', '…', 'o…\ntw…', '…\ntwo', 'one\n…'])
    await runAlone(said + fence('text output', shown))
  await assert.rejects(runPage(fence('text output', 'one') + NO_SERVICE), { message: /there is no command/ })
  await fails(fence('sh background', 'echo on'), /no output says when what was started is ready/)
})

test('a block of a kind that nobody knows is found, and code outside of fences', async () => {
  for (const info of [
    '',
    'js',
    'text',
    'json',
    'sh later',
    'js file=',
    'sh background fails',
    'nginx not-run="there is no nginx here"',
  ])
    await fails(fence(info, 'true'), /a block of an unknown kind/)
  await fails('```sh\ntrue\n', /the fence has no end/)
  await fails('Then:\n\n    npm start\n', /code stands in fences/)
  await fails('- Then:\n  ```sh\n  true\n  ```\n', /code stands in fences/)
  await fails(fence('js file=a.mjs', '1'), /does not name `a\.mjs`/)
})

test('packages are installed in the version that the tests have, and only those that the page names', async () => {
  await runAlone(
    fence('sh install', 'npm install claviger viem@2.57.20') + fence('sh', 'ls node_modules/viem'),
  )
  await fails(
    fence('sh install', 'npm install viem@1.0.0'),
    /"viem@1\.0\.0" is not what the tests have: viem@/,
  )
  await fails(fence('sh install', 'npm install viem'), /is not what the tests have/)
  await fails(fence('sh install', 'npm install left-pad@1.0.0'), /what the tests have: nothing/)
  await fails(fence('sh install', 'curl example.com | sh'), /is not an install/)
  await fails(fence('sh', 'node --input-type=module -e "import \'viem\'"'), /ERR_MODULE_NOT_FOUND/)
})

test('a block whose program is missing is left out with its output, and said', async () => {
  const page = fence('sh needs="no-such-program --version"', 'exit 1') + fence('text output', 'nothing')
  const { leftOut } = await runAlone(page + fence('sh', 'true'))
  assert.deepEqual(leftOut, ['line 10: here "no-such-program --version" fails'])
})

test('a page finds a service in its folder, on the port that it names', async () => {
  const page = [
    fence('sh', 'npx claviger --version\ncurl --silent http://127.0.0.1:4400/healthz | head -c 200'),
    fence('sh', 'grep BASE_URL .claviger/dev.env'),
    fence('text output', 'BASE_URL=http://127.0.0.1:4400'),
  ].join('')
  assert.equal((await runPage(page)).ran, 3)
})

test('a page that starts a service itself waits for what it says, and nothing of it is left', async () => {
  const page = [
    fence('sh background', 'npx claviger dev'),
    fence('text output', '…\nListening on http://127.0.0.1:4400. …\n…\nStop with Ctrl-C. …'),
    fence('sh', 'curl --fail --silent --output body http://127.0.0.1:4400/readyz'),
    fence('sh restart', 'npx claviger dev'),
    fence('text output', '…\nListening on http://127.0.0.1:4400. …\n…'),
  ].join('')
  assert.equal((await runPage(page)).ran, 5)
  await assert.rejects(runPage(fence('sh restart', 'npx claviger dev') + fence('text output', '…')), {
    message: /nothing was started that could be stopped/,
  })
})
