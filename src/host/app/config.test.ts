import assert from 'node:assert/strict'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { present } from '../../trusted/base/assert.ts'
import { toHex } from '../../trusted/base/bytes.ts'
import { p256PublicKeyOf } from '../../trusted/crypto/p256.ts'
import { rateLimitDefaults } from '../http/rate-limits.ts'
import { postgresDefaults } from '../store/postgres/defaults.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { operatorConnectionsMax, outboundConnectionsMax, withinDescriptors } from './descriptors.ts'
import { settingsOf } from './settings/parts.ts'
import { settings } from './settings/settings.ts'

const SECRET = new Uint8Array(32).fill(9)
const apiPrivateKey = toHex(SECRET)
const entry = {
  configId: 'shop',
  organizationId: '00000000-0000-4000-8000-000000000001',
  apiPublicKey: p256PublicKeyOf(SECRET),
  apiPrivateKey,
  allowedOrigins: ['https://shop.example'],
  allow: { signup: true, otpEmail: true },
}

function problemsOf(settings: Record<string, string>, of = { isServed: true }): readonly string[] {
  try {
    readConfig(settings, '/tmp', of)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

function aFile(t: TestContext, content: unknown, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}

test('without settings nothing is sent, no proxy is believed, and the limits are on', () => {
  const config = readConfig({}, '/tmp')
  assert.deepEqual(
    [
      config.delivery.mail,
      config.delivery.twilio,
      config.delivery.senderDomains,
      config.authProxy,
      config.trustedProxies,
    ],
    [undefined, undefined, [], [], []],
  )
  assert.equal(config.delivery.allowPrivateTargets, false)
  assert.deepEqual(config.rateLimits, rateLimitDefaults)
})

test('settings are read as they are meant', () => {
  const config = readConfig(
    {
      CLAVIGER_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CLAVIGER_ALLOW_PRIVATE_ADDRESSES: 'true',
      CLAVIGER_FRAMES_ORIGINS: 'https://shop.example:8443, http://localhost:5173',
      CLAVIGER_SMTP_URL: 'smtps://user:pass@mail.example',
      CLAVIGER_MAIL_FROM: '"The Bank" <no-reply@bank.example>',
      CLAVIGER_MAIL_DOMAINS: 'Bank.example, mail.bank.example',
      CLAVIGER_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      CLAVIGER_TWILIO_AUTH_TOKEN: 'token',
      CLAVIGER_TWILIO_FROM: '+15551234567',
      CLAVIGER_RATE_LIMITS: 'address=500, contact=off',
    },
    '/tmp',
  )
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1'])
  assert.deepEqual(config.frames.allowedOrigins, ['https://shop.example:8443', 'http://localhost:5173'])
  assert.equal(config.delivery.allowPrivateTargets, true)
  assert.deepEqual(config.delivery.mail?.from, { name: 'The Bank', address: 'no-reply@bank.example' })
  assert.deepEqual(config.delivery.senderDomains, ['bank.example', 'mail.bank.example'])
  assert.equal(config.delivery.twilio?.from, '+15551234567')
  assert.deepEqual(config.rateLimits, {
    ...rateLimitDefaults,
    address: 500,
    contact: Number.POSITIVE_INFINITY,
  })
  assert.equal(readConfig({ CLAVIGER_RATE_LIMITS: 'off' }, '/tmp').rateLimits, undefined)
  assert.deepEqual(readConfig({ CLAVIGER_RATE_LIMITS: 'on' }, '/tmp').rateLimits, rateLimitDefaults)
})

test('connections are bounded, for one address to half of all unless it is said, and never beyond the descriptors', (t) => {
  const of = (settings: Record<string, string>) => readConfig(settings, '/tmp').connections
  assert.deepEqual(of({}), { connectionsMax: 4_096, perAddressMax: 2_048 })
  assert.deepEqual(of({ CLAVIGER_CONNECTIONS: '101' }), { connectionsMax: 101, perAddressMax: 51 })
  const both = { CLAVIGER_CONNECTIONS: '100', CLAVIGER_CONNECTIONS_PER_ADDRESS: '100' }
  assert.deepEqual(of(both), { connectionsMax: 100, perAddressMax: 100 })
  for (const bad of ['0', '-1', '1.5', 'many', '10000000'])
    assert.equal(problemsOf({ CLAVIGER_CONNECTIONS: bad, CLAVIGER_DRAIN_SECONDS: '601' }).length, 2, bad)
  const limits = aFile(
    t,
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            256                  4096                 files\n',
  )
  assert.deepEqual(withinDescriptors(of({}), limits), { connectionsMax: 128, perAddressMax: 64 })
  assert.equal(outboundConnectionsMax(limits), 64)
  assert.deepEqual([operatorConnectionsMax(limits), operatorConnectionsMax('/nowhere')], [16, 64])
  assert.deepEqual(withinDescriptors(of(both), limits), of(both))
  assert.deepEqual(withinDescriptors(of({}), '/nowhere'), of({}))
  assert.equal(outboundConnectionsMax('/nowhere'), 400)
})

test('the sender of mail is an address, with or without a name', () => {
  const from = (text: string) =>
    readConfig({ CLAVIGER_SMTP_URL: 'smtps://mail.example', CLAVIGER_MAIL_FROM: text }, '/tmp').delivery.mail
      ?.from
  assert.deepEqual(from('a@b.example'), { name: 'Notifications', address: 'a@b.example' })
  assert.deepEqual(from('<a@b.example>'), { name: 'Notifications', address: 'a@b.example' })
  assert.deepEqual(from('Ada L. <a@b.example>'), { name: 'Ada L.', address: 'a@b.example' })
  for (const bad of ['Ada', 'a@b.example, c@d.example', 'Ada <a@b.example> x', 'A\tB <a@b.example>', '<>'])
    assert.equal(
      problemsOf({ CLAVIGER_SMTP_URL: 'smtps://mail.example', CLAVIGER_MAIL_FROM: bad }).length,
      1,
      bad,
    )
})

test('every problem is named at once, and no secret with it', () => {
  const secrets = ['hunter2', 'swordfish', 'AC-not-an-id']
  const problems = problemsOf({
    CLAVIGER_TRUSTED_PROXIES: 'proxy, 0.0.0.0/0, 10.0.0.1',
    CLAVIGER_ALLOW_PRIVATE_ADDRESSES: 'yes',
    CLAVIGER_SMTP_URL: 'http://user:hunter2@mail.example',
    CLAVIGER_MAIL_FROM: 'nobody',
    CLAVIGER_MAIL_DOMAINS: 'example',
    CLAVIGER_TWILIO_ACCOUNT_SID: 'AC-not-an-id',
    CLAVIGER_TWILIO_AUTH_TOKEN: 'swordfish',
    CLAVIGER_RATE_LIMITS: 'address=0, colour=3, contact',
    CLAVIGER_AUTH_PROXY: '/nowhere/at/all.json',
    CLAVIGER_FRAMES_ORIGINS:
      'https://shop.example, *, https://shop.example/, http://shop.example, shop.example',
  })
  const expected = [
    /TRUSTED_PROXIES names "proxy"/,
    /TRUSTED_PROXIES names "0\.0\.0\.0\/0"/,
    /ALLOW_PRIVATE_ADDRESSES is "yes": it must be true or false/,
    /SMTP_URL is not of the form/,
    /MAIL_FROM is "nobody"/,
    /MAIL_DOMAINS names "example"/,
    /TWILIO_.*are set together or not at all/,
    /TWILIO_ACCOUNT_SID must be/,
    /RATE_LIMITS: address is "0"/,
    /RATE_LIMITS names "colour"/,
    /RATE_LIMITS: contact is ""/,
    /FRAMES_ORIGINS names "\*": it must be an origin/,
    /FRAMES_ORIGINS names "https:\/\/shop.example\/"/,
    /FRAMES_ORIGINS names "http:\/\/shop.example"/,
    /FRAMES_ORIGINS names "shop.example"/,
    /AUTH_PROXY names \/nowhere\/at\/all\.json, which cannot be read/,
  ]
  for (const item of expected)
    assert.ok(
      problems.some((problem) => item.test(problem)),
      String(item),
    )
  assert.equal(problems.length, expected.length, problems.join('\n'))
  for (const secret of secrets) assert.ok(!problems.some((problem) => problem.includes(secret)), secret)
})

test('a variable that the guide exports for another program is no setting, and no mistake', () => {
  assert.deepEqual(problemsOf({ CLAVIGER_MCP_TOKEN: 'x'.repeat(32) }), [])
})

test('mail needs a server and a sender', () => {
  assert.match(problemsOf({ CLAVIGER_SMTP_URL: 'smtps://mail.example' })[0] ?? '', /together or not at all/)
  assert.match(problemsOf({ CLAVIGER_MAIL_FROM: 'a@b.example' })[0] ?? '', /together or not at all/)
})

test('a file of settings that holds a password must be readable by its owner alone', (t) => {
  const secret = 'CLAVIGER_SMTP_URL=smtps://u:hunter2@mail.example\nCLAVIGER_MAIL_FROM=a@b.example\n'
  for (const mode of [0o640, 0o604, 0o644])
    assert.match(
      problemsOf({ CLAVIGER_CONFIG: aFile(t, secret, mode) }).join(),
      /sets CLAVIGER_SMTP_URL and can be read by others: chmod 600 it$/,
    )
  assert.deepEqual(problemsOf({ CLAVIGER_CONFIG: aFile(t, secret) }), [])
  assert.deepEqual(problemsOf({ CLAVIGER_CONFIG: aFile(t, 'CLAVIGER_PORT=80\n', 0o644) }), [])
})

test('a configuration of the auth proxy is read, with defaults for what it leaves out', (t) => {
  const [config] = readConfig({ CLAVIGER_AUTH_PROXY: aFile(t, [entry]) }, '/tmp').authProxy
  const { apiPrivateKey: key, ...rest } = present(config, 'the configuration')
  assert.deepEqual(Buffer.from(key.reveal()), Buffer.from(SECRET))
  assert.deepEqual(rest, {
    configId: 'shop',
    organizationId: entry.organizationId,
    apiPublicKey: entry.apiPublicKey,
    allowedOrigins: ['https://shop.example'],
    sessionExpirationSeconds: 900,
    appName: 'Claviger',
    otp: {
      length: 9,
      alphanumeric: true,
      expirationSeconds: 300,
      codesPerNetwork: 100,
      percentOfMessages: 90,
    },
    signUps: { perNetwork: 1_000 },
    sender: {},
    oauthClientIds: {},
    socialLinkingClientIds: [],
    allow: { signup: true, otpEmail: true, otpSms: false, oauth: false, passkey: false, wallet: false },
  })
})

test('the file of the auth proxy must be readable by its owner alone', (t) => {
  const problems = problemsOf({ CLAVIGER_AUTH_PROXY: aFile(t, [entry], 0o640) })
  assert.match(problems.join(), /contains private keys and can be read by others: chmod 600 it$/)
})

test('all that is wrong with the file of the auth proxy is named, and no key is quoted', (t) => {
  const other = toHex(new Uint8Array(32).fill(8))
  const path = aFile(t, [
    { ...entry, otp: { length: 5 }, allowedOrigins: ['https://shop.example/'], colour: 'red' },
    { ...entry, configId: undefined, apiPrivateKey: `${apiPrivateKey}00`, apiPublicKey: apiPrivateKey },
    { ...entry, apiPrivateKey: other },
    'text',
    { ...entry, configId: 'b', allowedOrigins: ['*', 'https://shop.example'] },
    entry,
    entry,
    { ...entry, configId: 'c', allow: { oauth: true } },
  ])
  const problems = problemsOf({ CLAVIGER_AUTH_PROXY: path })
  const expected = [
    /configuration 1: `otp\.length` must be from 6 to 9/,
    /configuration 1: `allowedOrigins\[0\]` must be an origin/,
    /configuration 1: "colour" is not a field/,
    /configuration 2: configId is missing/,
    /configuration 2: `apiPrivateKey` must be a P-256 private key/,
    /configuration 2: `apiPublicKey` must be a compressed P-256 key/,
    /configuration 3: apiPublicKey is not the public key of apiPrivateKey/,
    /configuration 4: it is not an object/,
    /configuration 5: `allowedOrigins` must have an origin, or \* and nothing else/,
    /configuration 8: allow\.oauth needs a client id in oauthClientIds/,
    /"shop" is the configId of more than one/,
  ]
  for (const item of expected)
    assert.ok(
      problems.some((problem) => item.test(problem)),
      `${item}\n${problems.join('\n')}`,
    )
  assert.equal(problems.length, expected.length, problems.join('\n'))
  for (const secret of [apiPrivateKey, other]) assert.ok(!problems.join().includes(secret))
})

test('whatever stands in the file of the auth proxy, it is read or named, and its text is not quoted from broken JSON', (t) => {
  const path = aFile(t, '')
  assert.match(
    problemsOf({ CLAVIGER_AUTH_PROXY: aFile(t, `[{"apiPrivateKey":"${apiPrivateKey}" "x"`) }).join(),
    /which is not JSON: at byte \d+$/,
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((value) => JSON.stringify([value])),
      ),
      (content) => {
        writeFileSync(path, content)
        problemsOf({ CLAVIGER_AUTH_PROXY: path })
      },
    ),
    { numRuns: 300 },
  )
})

test('the database may be on several servers, and how much of it a host takes is read as it is meant', () => {
  const url = 'postgres://u:p@a:5432,b/db?target_session_attrs=read-write'
  const config = readConfig(
    {
      CLAVIGER_DATABASE_URL: url,
      CLAVIGER_DATABASE_CONNECTIONS: '20',
      CLAVIGER_DATABASE_LIST_CONNECTIONS: '2',
      CLAVIGER_DATABASE_CONNECT_SECONDS: '3',
      CLAVIGER_DATABASE_STATEMENT_SECONDS: '60',
      CLAVIGER_DATABASE_LIST_SECONDS: '1',
    },
    '/tmp',
  )
  assert.equal(config.databaseUrl, url)
  const limits = {
    connectionsMax: 20,
    listConnectionsMax: 2,
    connectMs: 3_000,
    statementMs: 60_000,
    listMs: 1_000,
  }
  assert.deepEqual(config.databaseLimits, limits)
  assert.deepEqual(readConfig({}, '/tmp').databaseLimits, postgresDefaults)

  for (const wrong of ['postgres://a,b:x/db', 'postgres://u:sesame@a/db?target_session_attrs=standby']) {
    const [problem, ...others] = problemsOf({ CLAVIGER_DATABASE_URL: wrong })
    assert.match(problem ?? '', /^CLAVIGER_DATABASE_URL is not an address/)
    assert.doesNotMatch(problem ?? '', /sesame/)
    assert.deepEqual(others, [])
  }
  for (const wrong of ['0', '-1', '1.5', '99999', 'many'])
    assert.match(
      problemsOf({ CLAVIGER_DATABASE_LIST_SECONDS: wrong }).join(),
      /^CLAVIGER_DATABASE_LIST_SECONDS is "/,
    )
})

test('a file of settings with the password of the database must be readable by its owner alone', (t) => {
  const open = (url: string) =>
    problemsOf({ CLAVIGER_CONFIG: aFile(t, `CLAVIGER_DATABASE_URL=${url}\n`, 0o644) })
  assert.match(open('postgres://u:p@a,b/db').join(), /sets CLAVIGER_DATABASE_URL and can be read by others/)
  assert.match(open('postgres://u@a/db?password=p').join(), /sets CLAVIGER_DATABASE_URL/)
  assert.deepEqual(open('postgres://u@a,b/db'), [])
})

const names = settingsOf(settings).map(({ name }) => name)

test('each setting can stand in the file of settings', (t) => {
  const wrong = names.flatMap((name) =>
    problemsOf({ CLAVIGER_CONFIG: aFile(t, `${name}=x\n`) }).filter((problem) => /line 1/.test(problem)),
  )
  assert.deepEqual(wrong, [])
})

test('whatever a setting is, it is read or named', () => {
  const begin = fc.constantFrom(
    '',
    'postgres://',
    'postgres://u:p@',
    'smtps://u:p@',
    'https://u:p@',
    'https://u:%zz@h/',
    'syslog+tcp://',
    'syslog+unix:///%',
    's3://',
    '%',
    '/',
  )
  const value = fc
    .tuple(begin, fc.string(), fc.constantFrom('', '%', '%zz', ':', ':1', '?a=%', '\n', '\0'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(value, (text) => {
      for (const name of names) problemsOf({ [name]: text })
    }),
  )
})

test('an address is not taken for a path', () => {
  for (const name of ['CLAVIGER_DATA', 'CLAVIGER_ROOT_KEY', 'CLAVIGER_VAULT', 'CLAVIGER_REQUEST_LOG'])
    assert.deepEqual(problemsOf({ [name]: 'postgres://u:sesame@a/db' }), [
      `${name} is an address: it must be a path`,
    ])
})

test('settings that together are not what was meant are named', (t) => {
  const reads = { CLAVIGER_AUDIT_READS: 'all' }
  assert.match(problemsOf(reads).join(), /^CLAVIGER_AUDIT_READS is set and CLAVIGER_AUDIT is off/)
  assert.deepEqual(problemsOf({ ...reads, CLAVIGER_AUDIT: 'audit.log' }), [])
  assert.deepEqual(problemsOf({ CLAVIGER_AUDIT_READS: 'none' }), [])
  const host = { CLAVIGER_OPERATOR_HOST: '10.0.0.1' }
  assert.match(problemsOf(host).join(), /^CLAVIGER_OPERATOR_HOST is set without CLAVIGER_OPERATOR_PORT/)
  const own = { ...host, CLAVIGER_OPERATOR_PORT: '4400' }
  assert.deepEqual(problemsOf(own), [])
  assert.deepEqual(problemsOf({ ...own, CLAVIGER_HOST: '0.0.0.0' }), [
    'CLAVIGER_OPERATOR_PORT is 4400, which is the port of CLAVIGER_PORT too: give each one of its own',
  ])
  const families = { ...own, CLAVIGER_HOST: '0.0.0.0', CLAVIGER_OPERATOR_HOST: '::1' }
  assert.deepEqual(problemsOf(families), [])
  assert.equal(problemsOf({ ...families, CLAVIGER_HOST: '::' }).length, 1)
  assert.equal(problemsOf({ ...own, CLAVIGER_HOST: '::' }).length, 1)
  const both = { CLAVIGER_CONSOLE: '4402', CLAVIGER_FRAMES_ORIGINS: 'https://shop.example' }
  assert.deepEqual(problemsOf(both), [
    'CLAVIGER_FRAMES_PORT is 4402, which is the port of CLAVIGER_CONSOLE too: give each one of its own',
  ])
  assert.deepEqual(problemsOf({ CLAVIGER_CONSOLE: '4402' }), [])
  assert.deepEqual(problemsOf({ CLAVIGER_PORT: '0', CLAVIGER_CONSOLE: '0', CLAVIGER_OPERATOR_PORT: '0' }), [])
  // A backup, or an unsealing, may have a part of them: the unit of a service sets the rest for itself.
  for (const part of [reads, host, { CLAVIGER_OPERATOR_PORT: '4400' }, both])
    assert.deepEqual(problemsOf(part, { isServed: false }), [])
  const passphrases = { CLAVIGER_ROOT_PASSPHRASE: 'one', CLAVIGER_ROOT_PASSPHRASE_FILE: aFile(t, 'two') }
  assert.match(problemsOf(passphrases, { isServed: false }).join(), /are both set: set one$/)
})

test('a log is not appended to a file that is something else, by whatever name', (t) => {
  const key = aFile(t, 'the root key')
  const folder = dirname(key)
  const [data, symbolic, hard, inside] = ['data', 'symbolic', 'hard', 'inside'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  symlinkSync(key, symbolic)
  linkSync(key, hard)
  mkdirSync(data)
  symlinkSync(data, inside)
  const own = { CLAVIGER_DATA: data, CLAVIGER_ROOT_KEY: key }
  for (const name of ['CLAVIGER_REQUEST_LOG', 'CLAVIGER_AUDIT']) {
    for (const path of [key, symbolic, hard, `${folder}/data/../file`])
      assert.deepEqual(problemsOf({ ...own, [name]: path }), [
        `${name} names ${path.replace('data/../', '')}, which is the file of CLAVIGER_ROOT_KEY: name a file of its own`,
      ])
    for (const path of ['data/claviger.db', 'data/claviger.db-wal', 'inside/operator.json', 'data/root.key'])
      assert.match(problemsOf({ ...own, [name]: join(folder, path) }).join(), /is a file of the data folder/)
    for (const other of ['CLAVIGER_ROOT_PASSPHRASE_FILE', 'CLAVIGER_UNSEAL_SOCKET', 'CLAVIGER_VAULT'])
      assert.match(
        problemsOf({ [name]: '/x/y', [other]: '/x/y' }).join(),
        new RegExp(`^${name} names /x/y, which is the file of ${other}`),
      )
    const settings = aFile(t, '')
    assert.match(problemsOf({ [name]: settings, CLAVIGER_CONFIG: settings }).join(), /of CLAVIGER_CONFIG:/)
    const proxy = aFile(t, [entry])
    assert.match(problemsOf({ [name]: proxy, CLAVIGER_AUTH_PROXY: proxy }).join(), /of CLAVIGER_AUTH_PROXY:/)
    // A service may have no other folder in which it may write.
    assert.deepEqual(problemsOf({ ...own, [name]: join(data, 'service.log') }), [])
  }
  const same = { CLAVIGER_REQUEST_LOG: '/x/log', CLAVIGER_AUDIT: '/x/./log' }
  assert.deepEqual(problemsOf(same), [
    'CLAVIGER_AUDIT names /x/log, which is the file of CLAVIGER_REQUEST_LOG: name a file of its own',
  ])
})

test('a path that a shell was meant to read is not taken for the name of a folder', () => {
  for (const path of ["'/var/lib/claviger'", '"/var/lib/claviger"', '~/data', '~'])
    for (const name of ['CLAVIGER_DATA', 'CLAVIGER_ROOT_KEY', 'CLAVIGER_ARCHIVES', 'CLAVIGER_AUDIT'])
      assert.deepEqual(problemsOf({ [name]: path }), [
        `${name} begins with ${path.charAt(0)}, which has a meaning only in a shell: write the path itself`,
      ])
  assert.deepEqual(problemsOf({ CLAVIGER_DATA: '~backup' }), [])
})
