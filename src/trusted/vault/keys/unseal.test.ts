import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { toHex } from '../../base/bytes.ts'
import { JsonLines } from '../../base/json-lines.ts'
import { Secret } from '../../base/secret.ts'
import { NO_KEYS } from './file-keys.ts'
import { keyChannel } from './key-channel.ts'
import { readRootKeyFile, rootKeyFile } from './root-key.ts'
import { RootKeyError } from './root-key-error.ts'
import { sealedFileText } from './sealed-file.ts'
import { type Handed, type OpenWith, unseal } from './unseal.ts'
import { watchedRootKeyFile } from './watched-root-key-file.ts'

const KEY = new Secret(new Uint8Array(32).fill(7))
const NAME = 'ab'.repeat(16)
const keysHanded = (hex: string, name = NAME): Handed => ({
  said: { keys: { [name]: hex } },
  ended: 'exit code 0',
})
const right = keysHanded(toHex(KEY.reveal()))

test('nobody who has not its key adds a seal to a file, takes one away or changes one', async () => {
  const text = await sealedFile(['one', 'other'])
  const file = JSON.parse(text)
  const [one, other] = file.sealedBy
  const changed = [
    [one],
    [other, one],
    [one, other, { seal: 'mine' }],
    [one, { ...other, wrapped: 'ab' }],
    [one, { seal: 'mine' }],
  ]
  for (const sealedBy of changed)
    await assert.rejects(
      () => unseal(JSON.stringify({ ...file, sealedBy }), async () => right),
      /does not open the root key file/,
    )
  // What a seal has sealed may be bound to the name of the key.
  const key = 'cd'.repeat(16)
  const renamed = keysHanded(toHex(KEY.reveal()), key)
  await assert.rejects(
    () => unseal(JSON.stringify({ ...file, key }), async () => renamed),
    /does not open the root key file/,
  )
  assert.equal(readRootKeyFile(text, await unseal(JSON.stringify(file), async () => right)).seals, 1)
})

async function sealedFile(
  seals: readonly string[],
  version = 1,
  by = { key: KEY, name: NAME },
): Promise<string> {
  const secret = new Secret(new Uint8Array(32).fill(version))
  const content = await rootKeyFile(
    { versions: [{ version, secret }], seals: version, service: [] },
    randomBytes,
    undefined,
  )
  return sealedFileText(content, { ...by, sealedBy: seals.map((seal) => ({ seal })) }, randomBytes)
}

test('a seal that hands over a wrong, short or foreign key, or none, is named, and the next one opens', async () => {
  const text = await sealedFile(['one', 'other'])
  const wrong: readonly (readonly [Handed, RegExp])[] = [
    [keysHanded('00'.repeat(32)), /does not open the root key file/],
    [keysHanded('07'.repeat(31)), /a key that is not 32 bytes/],
    [keysHanded('x'.repeat(64)), /a key that is not 32 bytes/],
    [keysHanded(toHex(KEY.reveal()), 'cd'.repeat(16)), /the key of another file/],
    [{ said: { keys: {} }, ended: 'exit code 0' }, /the key of another file/],
    [{ said: { keys: [1] }, ended: 'exit code 0' }, /no answer/],
    [{ said: null, ended: 'exit code 0' }, /no answer/],
    [{ said: undefined, ended: 'SIGKILL' }, /ended without a word \(SIGKILL\)/],
    [{ said: { failed: 'the token is locked' }, ended: 'exit code 0' }, /seal one: the token is locked/],
  ]
  for (const [handed, why] of wrong) {
    const keys = await unseal(text, async ({ place }) => (place === 0 ? handed : right))
    assert.equal(readRootKeyFile(text, keys).seals, 1)
    await assert.rejects(
      () => unseal(text, async () => handed),
      (error) =>
        error instanceof RootKeyError && why.test(error.message) && !/07070707|recovery/.test(error.message),
    )
  }
})

test('a file that was not opened names its seals to those who read it', async () => {
  const text = await sealedFile(['one', 'other'])
  assert.throws(() => readRootKeyFile(text, NO_KEYS), {
    name: 'RootKeyError',
    message: /is sealed \(one, other\), and was not opened/,
  })
})

test('a seal that people open is tried last, wherever it stands in the file', async () => {
  const text = await sealedFile(['shamir', 'tpm2', 'passphrase'])
  const asked: string[] = []
  const before: (string | undefined)[] = []
  const openWith: OpenWith = async ({ seal, byPeople, before: trouble }) => {
    asked.push(byPeople ? `people open ${seal}` : seal)
    before.push(trouble)
    return { said: undefined, ended: 'exit code 1' }
  }
  await assert.rejects(() => unseal(text, openWith), RootKeyError)
  assert.deepEqual(asked, ['tpm2', 'passphrase', 'people open shamir'])
  const silent = ['tpm2', 'passphrase'].map(
    (seal) => `seal ${seal}: its process ended without a word (exit code 1)`,
  )
  assert.deepEqual(before, [undefined, ...silent])
})

test('a vault asks every seal but the recovery, which is left to a command that asks nothing else', async () => {
  const text = await sealedFile(['recovery', 'one', 'other'])
  const asked: string[] = []
  const openWith: OpenWith = async ({ seal }) => {
    asked.push(seal)
    return { said: { failed: 'no' }, ended: 'exit code 0' }
  }
  await assert.rejects(
    () => unseal(text, openWith),
    /other: no; its recovery is left: claviger recovery use$/,
  )
  await assert.rejects(() => unseal(text, openWith, 'recovery'), /does not open: seal recovery: no$/)
  assert.deepEqual(asked, ['one', 'other', 'recovery'])
  const without = await sealedFile(['one', 'other'])
  await assert.rejects(() => unseal(without, openWith, 'recovery'), {
    name: 'RootKeyError',
    message: 'the root key file has no recovery',
  })
})

test('an entry of a seal with more than a seal can have is a damage, whatever stands beside it', async () => {
  const text = await sealedFile(['one', 'other'])
  const parameters = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`parameter${at}`, at]))
  const file = JSON.parse(text)
  const changed = { ...file, sealedBy: [file.sealedBy[0], { seal: 'other', ...parameters }] }
  await assert.rejects(() => unseal(JSON.stringify(changed), async () => right), /root key file is damaged/)
})

test('a seal that is killed half-way in a line, or that writes without end, spoils nothing for the next', async () => {
  const text = await sealedFile(['one', 'other', 'third'])
  const half = JsonLines.written(right.said as object).slice(0, 40)
  const { socket, write } = pipe((place) => {
    if (place === 0) write(half, { ended: 'SIGKILL' })
    else if (place === 1) write('x'.repeat(1_000_000), { ended: 'SIGKILL' })
    else write(JsonLines.written(right.said as object), { ended: 'exit code 0' })
  })
  const keys = await unseal(
    text,
    keyChannel(() => socket),
  )
  assert.equal(readRootKeyFile(text, keys).seals, 1)
})

test('the reason of a seal is told to the letter, also where a letter arrives in two parts', async () => {
  const text = await sealedFile(['one'])
  const said = Buffer.from(JsonLines.written({ failed: 'the token of Zoë is locked' }))
  const half = said.indexOf('ë') + 1
  const { socket, write } = pipe(() => {
    socket.push(said.subarray(0, half))
    write(said.subarray(half), { ended: 'exit code 0' })
  })
  await assert.rejects(
    unseal(
      text,
      keyChannel(() => socket),
    ),
    { name: 'RootKeyError', message: /seal one: the token of Zoë is locked$/ },
  )
})

test('a file that is replaced is opened with what opened the one before, and a seal is asked only where that does not', async () => {
  let text = await sealedFile(['one'])
  let asked = 0
  const file = watchedRootKeyFile(
    () => text,
    async () => {
      asked++
      return right
    },
    () => 0,
  )
  assert.equal((await file.read()).seals, 1)
  assert.equal(file.changed(), undefined)
  text = await sealedFile(['one'], 2)
  assert.equal(file.changed()?.seals, 2)
  assert.equal(asked, 1)
})

test('a file that no seal opens is not read, and the reason is that of the seals', async () => {
  const text = await sealedFile(['one'])
  const failed = { said: { failed: 'the token is locked' }, ended: 'exit code 0' }
  const file = watchedRootKeyFile(
    () => text,
    async () => failed,
    () => 0,
  )
  await assert.rejects(file.read, { name: 'RootKeyError', message: /seal one: the token is locked$/ })
})

test('a running vault does not wait for a seal: it goes on, and takes what was opened the next time', async () => {
  let text = await rootKeyFile(
    { versions: [{ version: 1, secret: new Secret(new Uint8Array(32).fill(1)) }], seals: 1, service: [] },
    randomBytes,
    undefined,
  )
  let answer: (handed: Handed) => void = () => {}
  let elapsed = 0
  const file = watchedRootKeyFile(
    () => text,
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
    () => elapsed,
  )
  assert.equal((await file.read()).seals, 1)
  text = await sealedFile(['one'], 2)
  assert.throws(() => file.changed(), /is being opened/)
  assert.throws(() => file.changed(), /is being opened/)
  answer({ said: { failed: 'the network is down' }, ended: 'exit code 0' })
  await new Promise((resolve) => setImmediate(resolve))
  elapsed += 2_000
  assert.throws(() => file.changed(), /the network is down/)
  assert.throws(() => file.changed(), /the network is down/, 'also while it is tried again')
  answer(right)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(file.changed()?.seals, 2)
  assert.equal(file.changed(), undefined)
  // What was the trouble with the file of before is none with the next one.
  text = text.replaceAll(NAME, 'cd'.repeat(16))
  assert.throws(() => file.changed(), /is being opened/)
})

test('a file that takes the place of one that people are to open is opened, and the other is let go', async () => {
  let text = await rootKeyFile(
    { versions: [{ version: 1, secret: new Secret(new Uint8Array(32).fill(1)) }], seals: 1, service: [] },
    randomBytes,
    undefined,
  )
  const asked: ((handed: Handed) => void)[] = []
  const file = watchedRootKeyFile(
    () => text,
    () => new Promise((resolve) => asked.push(resolve)),
    () => 0,
  )
  await file.read()
  text = (await sealedFile(['shamir', 'one'], 2)).replaceAll(NAME, 'cd'.repeat(16))
  assert.throws(() => file.changed(), /is being opened/)
  text = await sealedFile(['one'], 2)
  assert.throws(() => file.changed(), /is being opened/)
  assert.equal(asked.length, 2)
  // The host ends the process of the first before it starts that of the second.
  asked[0]?.({ said: undefined, ended: 'SIGKILL' })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(asked.length, 2, 'nothing more is asked for the file that is gone')
  assert.throws(() => file.changed(), /is being opened/)
  asked[1]?.(right)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(file.changed()?.seals, 2)
})

test('a file of before that is back stays readable, also when the other one is opened after all', async () => {
  const other = { key: new Secret(new Uint8Array(32).fill(8)), name: 'cd'.repeat(16) }
  let text = await sealedFile(['one'])
  const asked: ((handed: Handed) => void)[] = []
  const signals: (AbortSignal | undefined)[] = []
  const file = watchedRootKeyFile(
    () => text,
    (_, letGo) => {
      signals.push(letGo)
      return new Promise((resolve) => asked.push(resolve))
    },
    () => 0,
  )
  const read = file.read()
  asked[0]?.(right)
  await read
  const before = text
  text = await sealedFile(['shamir'], 2, other)
  assert.throws(() => file.changed(), /is being opened/)
  text = before
  assert.equal(file.changed(), undefined)
  assert.deepEqual(
    signals.map((letGo) => letGo?.aborted),
    [false, true],
    'people are not asked any more for the file that is gone',
  )
  asked[1]?.(keysHanded(toHex(other.key.reveal()), other.name))
  await new Promise((resolve) => setImmediate(resolve))
  text = await sealedFile(['one'], 3)
  assert.equal(file.changed()?.seals, 3)
})

test('a file that does not open is tried ever more rarely, and another one at once', async () => {
  let text = await rootKeyFile(
    { versions: [{ version: 1, secret: new Secret(new Uint8Array(32).fill(1)) }], seals: 1, service: [] },
    randomBytes,
    undefined,
  )
  let elapsed = 0
  const triedAt: number[] = []
  const file = watchedRootKeyFile(
    () => text,
    async () => {
      triedAt.push(elapsed / 1_000)
      return { said: { failed: 'the passphrase does not open it' }, ended: 'exit code 0' }
    },
    () => elapsed,
  )
  await file.read()
  text = await sealedFile(['one'], 2)
  // A host looks every two seconds.
  const look = async (): Promise<void> => {
    assert.throws(() => file.changed(), RootKeyError)
    await new Promise((resolve) => setImmediate(resolve))
    elapsed += 2_000
  }
  for (let looks = 0; looks < 120; looks++) await look()
  assert.deepEqual(triedAt, [0, 2, 6, 14, 30, 62, 122, 182])
  text = text.replaceAll(NAME, 'cd'.repeat(16))
  await look()
  assert.equal(triedAt.at(-1), 240)
})

/** A host that says what processes write when they are asked for, and how they end. */
function pipe(onOpen: (place: number) => void) {
  const lines = new JsonLines(1_000)
  const socket = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      // The vault asks nothing else.
      for (const asked of lines.push(String(chunk)))
        onOpen((asked as { readonly open: { readonly place: number } }).open.place)
      done()
    },
  })
  const write = (text: string | Uint8Array, ended: { readonly ended: string }): void => {
    socket.push(text)
    socket.push(JsonLines.written(ended))
  }
  return { socket, write }
}
