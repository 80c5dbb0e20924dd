import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { p256Signer } from '../../trusted/crypto/p256.ts'
import { p256Stamp } from '../http/p256-stamp.ts'
import { listenOnLoopback } from './assembly.ts'
import { type Json, seededKey } from './emulated-user.ts'
import type { Fault } from './faults.ts'
import { type Claviger, startClaviger } from './start-claviger.ts'

const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}

async function wallet({ root }: Claviger, walletName: string) {
  const { status, json } = await root.submit('create_wallet', { walletName, accounts: [account] })
  assert.equal(status, 200, JSON.stringify(json))
  return json.activity
}

/** What the emulator has drawn for an activity: its id, and what it has made. */
function drawn({ id, result }: Json) {
  const { activity: _ignored, ...made } = result
  return { id, made }
}

test('the same seed gives the same ids, keys and addresses, and another seed others', async () => {
  const made = async (seed: number) => {
    await using c = await startClaviger({ seed })
    const { id, made: result } = drawn(await wallet(c, 'W'))
    const { userId, apiPrivateKey } = await c.newUser('Eve')
    return { organizationId: c.organizationId, root: c.root.apiPrivateKey, result, id, userId, apiPrivateKey }
  }
  const first = await made(7)
  assert.deepEqual(await made(7), first)
  const other = await made(8)
  for (const [name, value] of Object.entries(first))
    assert.notDeepEqual(Reflect.get(other, name), value, name)
})

test('a request of another kind, user or organization in between, a refused one and a failed one change nothing', async () => {
  const made = async (between: (c: Claviger) => Promise<unknown>) => {
    await using c = await startClaviger({ seed: 7 })
    const eve = await c.newUser('Eve')
    await wallet(c, 'First')
    await Promise.all([between(c), eve.submit('create_wallet', { walletName: 'Mine', accounts: [] })])
    return drawn(await wallet(c, 'Second'))
  }
  const alone = await made(async () => {})
  assert.deepEqual(await made(async (c) => await c.newUser('Bob')), alone, 'another kind')
  assert.deepEqual(
    await made(async (c) => {
      const { status } = await c.root.submit('create_wallet', { walletName: 'First', accounts: [account] })
      assert.notEqual(status, 200, 'the name is taken')
    }),
    alone,
    'one that fails',
  )
  assert.deepEqual(
    await made(async (c) => {
      const bob = await c.newUser('Bob')
      assert.equal((await bob.submit('create_wallet', { walletName: 'B', accounts: [] })).status, 403)
    }),
    alone,
    'one that is refused',
  )
})

test('what is refused moves nothing of what the same user is allowed later', async () => {
  const made = async (refusals: number) => {
    await using c = await startClaviger({ seed: 7 })
    const eve = await c.newUser('Eve')
    const ask = async (walletName: string) => await eve.submit('create_wallet', { walletName, accounts: [] })
    for (let at = 0; at < refusals; at++) assert.equal((await ask(`Refused ${at}`)).status, 403)
    await c.root.submit('create_policy', {
      policyName: 'Eve makes wallets',
      effect: 'EFFECT_ALLOW',
      condition: "activity.kind == 'CREATE_WALLET'",
      consensus: `approvers.any(user, user.id == '${eve.userId}')`,
      notes: '',
    })
    const { status, json } = await ask('Allowed')
    assert.equal(status, 200)
    return { ...drawn(json.activity), votes: json.activity.votes.map(({ id }: Json) => id) }
  }
  assert.deepEqual(await made(3), await made(0))
})

test('of requests that meet one another, each draws what it would have drawn alone', async () => {
  const made = async (atOnce: boolean) => {
    await using c = await startClaviger({ seed: 7 })
    const users = [await c.newUser('Ada'), await c.newUser('Bob'), c.root]
    const asked = users.map(({ userId, userName, submit }) => () => {
      const { apiPublicKey: publicKey } = seededKey('other', userName)
      const apiKeys = [{ apiKeyName: 'More', publicKey, curveType: 'API_KEY_CURVE_P256' }]
      return submit('create_api_keys', { userId, apiKeys })
    })
    const answers = []
    if (atOnce) answers.push(...(await Promise.all(asked.map(async (ask) => await ask()))))
    else for (const ask of asked) answers.push(await ask())
    return answers.map(({ json }) => drawn(json.activity))
  }
  assert.deepEqual(await made(true), await made(false))
})

test('a code is the same at each run and is there when the request that sends it is answered', async () => {
  const codeOf = async (before: (c: Claviger) => Promise<unknown>) => {
    await using c = await startClaviger({ seed: 7 })
    await c.root.submit('set_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
    await before(c)
    const sent = { otpType: 'OTP_TYPE_EMAIL', contact: 'eve@example.com', appName: 'Shop' }
    assert.equal((await c.root.submit('init_otp', sent)).status, 200)
    return c.inbox.code('eve@example.com')
  }
  const code = await codeOf(async () => {})
  assert.match(code, /^[A-Z0-9]{6,9}$/)
  assert.equal(await codeOf(async (c) => await c.newUser()), code)
})

test('a restored snapshot is what it was: data, clock, counters and inbox', async () => {
  await using c = await startClaviger({ seed: 7, fixtures: 'treasury' })
  c.clock.advance('2h')
  const before = c.snapshot()
  const first = await wallet(c, 'W')
  const shown = c.snapshot()
  c.clock.advance('1d')
  await wallet(c, 'X')

  c.restore(JSON.parse(JSON.stringify(before)))

  assert.equal(c.clock.now().toISOString(), '2026-01-01T02:00:00.000Z')
  assert.deepEqual(c.snapshot(), before)
  assert.deepEqual(await wallet(c, 'W'), first)
  assert.deepEqual(c.snapshot(), shown)
  assert.equal(c.requests().length, 1)
})

test('a reset emulator is as it was when it had started', async () => {
  await using c = await startClaviger({ fixtures: 'treasury' })
  const before = c.snapshot()
  await wallet(c, 'W')
  await c.newUser('Eve')
  c.reset()
  assert.deepEqual(c.snapshot(), before)
  assert.throws(() => c.user('Eve'), /has made no user "Eve"/)
})

test('requests of any time are taken, and only those of now with strict time', async () => {
  const asked = async (strictTime: boolean) => {
    await using c = await startClaviger({ strictTime })
    const { organizationId } = c
    const timestampMs = String(Date.UTC(2001, 0, 1))
    const parameters = { walletName: 'W', accounts: [] }
    const body = JSON.stringify({
      type: 'ACTIVITY_TYPE_CREATE_WALLET',
      timestampMs,
      organizationId,
      parameters,
    })
    const { apiPublicKey, apiPrivateKey } = c.root
    const signer = p256Signer(Buffer.from(apiPrivateKey, 'hex'), apiPublicKey)
    const headers = { 'x-stamp': p256Stamp(signer, Buffer.from(body)) }
    const answer = await fetch(`${c.baseUrl}/public/v1/submit/create_wallet`, {
      method: 'POST',
      headers,
      body,
    })
    assert.equal(answer.headers.get('x-claviger'), 'EMULATOR')
    return answer.status
  }
  assert.equal(await asked(false), 200)
  assert.equal(await asked(true), 400)
})

test('a fault meets the next request of its operation, and that one alone', async () => {
  await using c = await startClaviger()
  const faulted = async (fault: Fault) => {
    c.faults.next('create_wallet', fault)
    return await c.root.submit('create_wallet', { walletName: JSON.stringify(fault), accounts: [] })
  }
  const refused = await faulted({ status: 503 })
  assert.equal(refused.status, 503)
  assert.match(refused.json.message, /EMULATOR/)
  assert.equal((await faulted({ delayMs: 1 })).status, 200)
  await assert.rejects(faulted({ dropAnswer: true }), /fetch failed/)
  const waiting = await faulted({ pendingConsensus: true })
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const { fingerprint } = waiting.json.activity
  const approved = await c.root.submit('approve_activity', { fingerprint })
  assert.equal(approved.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const { wallets } = (await c.root.query('list_wallets')).json
  assert.equal(wallets.length, 3, 'the one whose answer was dropped is there, the one with a status is not')
  assert.deepEqual(
    c.requests().map(({ status, fault }) => [status, fault]),
    [
      [503, { status: 503 }],
      [200, { delayMs: 1 }],
      [200, { dropAnswer: true }],
      [200, { pendingConsensus: true }],
      [200, undefined],
      [200, undefined],
    ],
  )
})

test('a fault that was planned before a reset meets nothing after it', async () => {
  await using c = await startClaviger({ seed: 7 })
  const wallet = () => c.root.submit('create_wallet', { walletName: 'W', accounts: [] })
  c.faults.next('create_wallet', { pendingConsensus: true })
  const waiting = await wallet()
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  c.faults.next('create_wallet', { status: 503 })
  c.reset()
  const again = await wallet()
  // The very same bytes.
  assert.equal(again.json.activity.fingerprint, waiting.json.activity.fingerprint)
  assert.equal(again.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('a request that a fault holds up is answered by the life in which it came, and holds up no reset', async () => {
  await using c = await startClaviger({ seed: 7 })
  c.faults.next('create_wallet', { delayMs: 600_000 })
  c.faults.next('create_wallet', { status: 503 })
  const both = ['One', 'Other'].map((walletName) =>
    c.root.submit('create_wallet', { walletName, accounts: [] }),
  )
  // The answer to one of them: the other has come before, and is held up.
  assert.equal((await Promise.race(both)).status, 503)
  c.reset()
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), [200, 503])
  assert.deepEqual((await c.root.query('list_wallets')).json.wallets, [])
})

test('a webhook to anywhere else than this machine is told, and not sent', async () => {
  await using c = await startClaviger()
  const url = 'https://shop.example/hook'
  await c.root.submit('set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: url })
  const sent = await c.webhooks.next()
  assert.equal(sent.url, url)
  assert.equal(JSON.parse(sent.body).type, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE')
  assert.equal(sent.headers['x-turnkey-webhook-version'], '1')
  await assert.rejects(c.webhooks.next(1), /no webhook was sent within 1 ms/)
  // A name that only begins like an address of this machine.
  const named = 'https://127.shop.example/hook'
  await c.root.submit('set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: named })
  const { status, failure } = await c.webhooks.next()
  assert.deepEqual([status, failure], [200, undefined])
})

test('a receiver on this machine gets what is sent, and again when time has passed after it has failed', async () => {
  await using c = await startClaviger()
  const got: string[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    got.push(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(got.length === 1 ? 500 : 200).end()
  })
  const url = await listenOnLoopback(receiver)
  await c.root.submit('set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: `${url}/hook` })
  const first = await c.webhooks.next()
  assert.equal(first.status, 500)
  await assert.rejects(c.webhooks.next(20), /no webhook/)
  c.clock.advance('1m')
  const second = await c.webhooks.next()
  assert.equal(second.status, 200)
  assert.equal(second.body.includes('SET_ORGANIZATION_FEATURE'), true)
  assert.deepEqual(got, [first.body, second.body])
  receiver.close()
})

test('the clock stands, runs with the machine or begins where it is told, and ends where ids do', async () => {
  await using standing = await startClaviger({ clock: '2026-03-01T12:00:00+01:00' })
  assert.equal(standing.clock.now().toISOString(), '2026-03-01T11:00:00.000Z')
  await using real = await startClaviger({ clock: 'real' })
  const before = Date.now()
  real.clock.advance('1d')
  assert.ok(real.clock.now().getTime() - 86_400_000 - before >= 0)
  for (let century = 0; century < 79; century++) standing.clock.advance('36500d')
  assert.throws(() => standing.clock.advance('36500d'), /beyond the year 9999/)
  assert.equal((await standing.newUser('Late')).userId.length, 36)
  for (const clock of ['now', '2026', '2026-13-01', '1969-01-01', ''])
    await assert.rejects(startClaviger({ clock }), /is not a clock/)
})

test('users that are made at once have a key each', async () => {
  await using c = await startClaviger()
  const users = await Promise.all([c.newUser(), c.newUser(), c.newUser('Eve'), c.newUser('Bob')])
  assert.equal(new Set(users.map(({ apiPublicKey }) => apiPublicKey)).size, 4)
  for (const user of users) assert.equal((await user.query('whoami')).json.userId, user.userId)
  await assert.rejects(c.newUser('Eve'), /the user "Eve" was not made: .*unique/)
})

test('an option that does not exist, or cannot be what it is given as, is told and not ignored', async () => {
  // As a suite in JavaScript gives them.
  const startWith = async (options: object) => await (await startClaviger(options)).close()
  for (const [options, message] of [
    [{ strict: true }, 'there is no option "strict"; there is seed, port, clock, fixtures, strictTime'],
    [{ toString: 1 }, 'there is no option "toString"; there is seed, port, clock, fixtures, strictTime'],
    [{ seed: Number('x') }, 'the option seed is a number or a text, not NaN'],
    [{ seed: null }, 'the option seed is a number or a text, not null'],
    [{ port: '8080' }, 'the option port is a number up to 65535, and 0 for a free one, not "8080"'],
    [{ port: 65_536 }, 'the option port is a number up to 65535, and 0 for a free one, not 65536'],
    [{ clock: 0 }, 'the option clock is "real", "frozen" or a time as a text, not 0'],
    [{ fixtures: true }, 'the option fixtures is a name, a file, or {"steps": […]}, not true'],
    [{ strictTime: 'no' }, 'the option strictTime is true or false, not "no"'],
  ] as const)
    await assert.rejects(startWith(options), { name: 'Failure', message })
  await startWith({ seed: undefined, port: undefined })
})

test('a port that is taken is told, and nothing is left of the start', async () => {
  await using c = await startClaviger()
  await assert.rejects(startClaviger({ port: Number(new URL(c.baseUrl).port) }), { code: 'EADDRINUSE' })
})
