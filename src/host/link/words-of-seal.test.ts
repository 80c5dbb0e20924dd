import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { seeded } from '../../../test/support/seeded.ts'
import { JsonLines } from '../../trusted/base/json-lines.ts'
import { sealProcess } from './seal-process.ts'
import { passOnWords } from './words-of-seal.ts'

const KEY = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfe', 'hex')
const WAITS = 'The root key waits for 2 shares at /run/claviger/unseal.sock: claviger unseal'
const NOT_SHOWN = 'the process of a seal has written what is not shown here, since it may hold a key'

test('of all that a seal may print, what it tells people is passed on, and no byte beside it', async () => {
  const random = seeded('what a seal prints')
  const stray = [
    KEY,
    Buffer.from(KEY.toString('hex')),
    Buffer.from(`key: ${KEY.toString('base64')}\n`),
    Buffer.from(`{"keys":{"a":"${KEY.toString('hex')}"}}\n`),
    Buffer.from(`{"waits":{"key":"${KEY.toString('hex')}"}}\n`),
    Buffer.from(`{"waits":"cut off ${KEY.toString('hex')}`),
    Buffer.from(`{"waits":"${'long '.repeat(200)}${KEY.toString('hex')}"}\n`),
    Buffer.from(`{"waits":"with more","key":"${KEY.toString('hex')}"}\n`),
    Buffer.from('Error: no\n    at decrypt (node_modules/library/index.js:1:1)\n'),
    Buffer.alloc(20_000, 'x'),
    Buffer.from([0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0x00]),
    Buffer.from('\u001b]0;title\u0007'),
  ]
  for (let round = 0; round < 300; round++) {
    const said: string[] = []
    const stream = new PassThrough()
    passOnWords(stream, { say: (sentence) => said.push(sentence), endless: () => assert.fail('it ends') })
    let told = 0
    let isStray = false
    for (let part = random.below(12); part > 0; part--) {
      const isOwn = random.below(3) === 0
      const bytes = isOwn
        ? Buffer.from(JsonLines.written({ waits: WAITS }))
        : (stray[random.below(stray.length)] ?? KEY)
      told += isOwn ? 1 : 0
      isStray ||= !isOwn
      // In whatever pieces they come.
      const cut = random.below(bytes.length + 1)
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) stream.write(piece)
    }
    await new Promise((resolve) => stream.end().on('close', resolve))
    assert.deepEqual(said, [...Array.from({ length: told }, () => WAITS), ...(isStray ? [NOT_SHOWN] : [])])
  }
})

test('a sentence is shown without what would write over the log', async () => {
  const said: string[] = []
  const stream = new PassThrough()
  passOnWords(stream, { say: (sentence) => said.push(sentence), endless: () => {} })
  stream.write(JsonLines.written({ waits: 'Waits\n{"event":"forged"}\u001b[2J at ü' }))
  await new Promise((resolve) => stream.end().on('close', resolve))
  assert.deepEqual(said, ['Waits {"event":"forged"} [2J at  '])
})

for (const [what, preload] of [
  [
    'prints without end and without a line end',
    `const more = Buffer.alloc(65536, 'ab'); for (;;) fs.writeSync(2, more)`,
  ],
  ['prints random bytes without end', `for (;;) fs.writeSync(2, crypto.randomBytes(65536))`],
  ['prints lines without end', `for (;;) fs.writeSync(2, 'ab\\n'.repeat(10000))`],
] as const)
  test(`a seal that ${what} is ended long before its time is over, also one that people open`, async (t) => {
    const written = t.mock.method(process.stderr, 'write', () => true)
    for (const byPeople of [false, true]) {
      const { child, ended } = sealProcess(loading(preload), { place: 0, byPeople }, 'pipe')
      t.after(() => child.kill('SIGKILL'))
      const closed = once(child, 'close')
      assert.equal(await ended, 'SIGKILL')
      await closed
    }
    const shown = written.mock.calls.map((call) => String(call.arguments[0]))
    assert.ok(
      shown.every((line) => line === `${NOT_SHOWN}\n`),
      shown.join('').slice(0, 200),
    )
  })

test('what a library prints before a seal fails is in no log', async (t) => {
  const written = t.mock.method(process.stderr, 'write', () => true)
  const hex = randomBytes(32).toString('hex')
  const preload = `console.error('decrypted', '${hex}'); process.on('exit', () => fs.writeSync(2, '${hex}')); setImmediate(() => { throw new Error('${hex}') })`
  const { child, ended } = sealProcess(loading(preload), { place: 0, byPeople: false }, 'pipe')
  const closed = once(child, 'close')
  child.stdio[3]?.on('data', (chunk: Buffer) => assert.ok(!chunk.includes(hex)))
  await Promise.all([ended, closed])
  assert.deepEqual(
    written.mock.calls.map((call) => String(call.arguments[0])),
    [`${NOT_SHOWN}\n`],
  )
})

/** Settings with which the process of a seal loads this first, as it would a library that is like it. */
function loading(text: string) {
  const source = `import fs from 'node:fs'\nimport crypto from 'node:crypto'\n${text}`
  return {
    NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`,
    CLAVIGER_ROOT_KEY: '/nowhere',
  }
}
