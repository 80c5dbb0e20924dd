// A transfer above a limit, which waits for a second person. Ada may send 0.1 ETH alone; for more Bob has to agree.
//   node examples/two-people.js .claviger/dev.env
// Where the console has a port of its own, its address comes behind: http://localhost:4401/console/
// Ada and Bob have their keys beside that file, so that a second run finds them again.
import { createHash, createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const settingsFile = process.argv[2] ?? '.claviger/dev.env'
if (!existsSync(settingsFile)) {
  console.error(`There is no ${settingsFile}: start claviger dev in this folder, which makes it.`)
  process.exit(1)
}
const settings = linesOf(settingsFile)
const organizationId = settings.ORGANIZATION_ID

function linesOf(path) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('='))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** The private key as PKCS#8: a fixed head, its 32 bytes. */
function keyIn({ API_PUBLIC_KEY: publicKey, API_PRIVATE_KEY: secret }) {
  const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'
  const key = Buffer.from(head + secret, 'hex')
  return { publicKey, secret, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) }
}

/** An API key: a P-256 pair, its public half compressed. */
function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, d } = privateKey.export({ format: 'jwk' })
  const hex = (text) => Buffer.from(text, 'base64url').toString('hex')
  const isOdd = Buffer.from(y, 'base64url').at(-1) % 2 === 1
  return { publicKey: (isOdd ? '03' : '02') + hex(x), secret: hex(d), privateKey }
}

/** Sends a body with the key of somebody; the stamp is a signature over the exact bytes. */
async function send({ publicKey, privateKey }, path, body) {
  const signature = createSign('sha256').update(body).sign(privateKey, 'hex')
  const stamp = JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })
  const headers = { 'X-Stamp': Buffer.from(stamp).toString('base64url') }
  const url = `${settings.BASE_URL}/public/v1/${path}`
  const response = await fetch(url, { method: 'POST', body, headers }).catch(noAnswer)
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${answer.message}`)
  return answer
}

function noAnswer(error) {
  console.error(
    `No service answers at ${settings.BASE_URL} (${error.cause?.code}): start claviger dev in this folder.`,
  )
  process.exit(1)
}

async function query(key, operation) {
  return await send(key, `query/${operation}`, JSON.stringify({ organizationId }))
}

/** Asks for something to be done, and tells the eight digits of the exact bytes too. */
async function ask(key, type, parameters) {
  const body = JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters })
  const operation = type.replace('ACTIVITY_TYPE_', '').replace(/_V\d$/, '').toLowerCase()
  const { activity } = await send(key, `submit/${operation}`, body)
  const number = createHash('sha256').update(body).digest().readBigUInt64BE() % 100_000_000n
  const digits = String(number).padStart(8, '0').replace(/^.{4}/, '$& ')
  return { ...activity, digits }
}

/** Finds a person of an earlier run by the key in their file, or makes one; the first name that nobody has. */
async function person(firstName) {
  const file = join(dirname(settingsFile), `${firstName.toLowerCase()}.env`)
  const kept = existsSync(file) ? linesOf(file) : {}
  const known = kept.ORGANIZATION_ID === organizationId ? keyIn(kept) : undefined
  const found = known && (await query(known, 'whoami').catch(() => undefined))
  const key = found === undefined ? newKey() : known
  const userId = found?.userId ?? (await newUser(firstName, key))
  const lines = {
    BASE_URL: settings.BASE_URL,
    ORGANIZATION_ID: organizationId,
    API_PUBLIC_KEY: key.publicKey,
    API_PRIVATE_KEY: key.secret,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, text.join(''), { mode: 0o600 })
  return { ...key, userId, file }
}

async function newUser(firstName, { publicKey }) {
  const { users } = await query(root, 'list_users')
  const userName = free(
    users.map((user) => user.userName),
    (number) => [`${firstName}${number}`],
  )
  const apiKeys = [{ apiKeyName: 'Laptop', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  const { result } = await ask(root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] })
  return result.createUsersResult.userIds[0]
}

/** The first of the names that none is taken of: with nothing behind it, then with 2, 3 … */
function free(taken, namesWith) {
  for (let number = 1; ; number += 1) {
    const names = namesWith(number === 1 ? '' : ` ${number}`)
    if (!names.some((name) => taken.includes(name))) return names[0]
  }
}

const root = keyIn(settings)
const [ada, bob] = [await person('Ada'), await person('Bob')]

const [{ privateKeys }, { policies }] = [
  await query(root, 'list_private_keys'),
  await query(root, 'list_policies'),
]
const [upTo, any] = ['Ada pays up to 0.1 ETH from', 'Ada and Bob pay any amount from']
const treasury = free(
  [...privateKeys.map((key) => key.privateKeyName), ...policies.map((policy) => policy.policyName)],
  (number) => [`Treasury${number}`, `${upTo} Treasury${number}`, `${any} Treasury${number}`],
)

const made = await ask(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
  privateKeys: [
    {
      privateKeyName: treasury,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ],
})
const [{ privateKeyId, addresses }] = made.result.createPrivateKeysResultV2.privateKeys

const paysFrom = `activity.action == 'SIGN' && private_key.id == '${privateKeyId}'`
// A transfer of tokens is a call with the value 0, and a fee can be as large as the balance: neither is a plain
// payment.
const isPlainPayment = [
  'eth.tx.chain_id == 11155111',
  "eth.tx.type in ['LEGACY', 'TYPE_1', 'TYPE_2']",
  "eth.tx.to != '' && eth.tx.data == '0x'",
  'eth.tx.gas <= 100000 && eth.tx.gas_price <= 200000000000',
].join(' && ')
const votes = (id) => `approvers.any(user, user.id == '${id}')`
await ask(root, 'ACTIVITY_TYPE_CREATE_POLICIES', {
  policies: [
    {
      policyName: `${upTo} ${treasury}`,
      effect: 'EFFECT_ALLOW',
      condition: `${paysFrom} && ${isPlainPayment} && eth.tx.value <= 100000000000000000`,
      consensus: votes(ada.userId),
      notes: '',
    },
    {
      policyName: `${any} ${treasury}`,
      effect: 'EFFECT_ALLOW',
      condition: paysFrom,
      consensus: `${votes(ada.userId)} && ${votes(bob.userId)}`,
      notes: '',
    },
  ],
})

// On Sepolia, a test network: 0.05 and 2 ETH, with fees of at most 0.00042.
const supplier = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const pay = async (unsignedTransaction) =>
  await ask(ada, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: addresses[0].address,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction,
  })
const small = await pay(
  '02f283aa36a780843b9aca008504a817c800825208943c44cdddb6a900fa2b585dd299e03d12fa4293bc87b1a2bc2ec5000080c0',
)
const large = await pay(
  '02f383aa36a701843b9aca008504a817c800825208943c44cdddb6a900fa2b585dd299e03d12fa4293bc881bc16d674ec8000080c0',
)
if (small.status !== 'ACTIVITY_STATUS_COMPLETED' || large.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  throw new Error(`not as expected: ${small.status}, ${large.status}`)

const consoleUrl = process.argv[3] ?? `${settings.BASE_URL.replace('127.0.0.1', 'localhost')}/console/`
// The link names an organization and a request, and no key: what a link holds stays in the history of the browser.
const link = `${consoleUrl}#/key/${organizationId}/approvals/${large.id}`
const claviger = relative(process.cwd(), fileURLToPath(new URL('../bin/claviger.js', import.meta.url)))
/** As one word for a shell. */
const word = (path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
console.log(`Ada asks to send 2 test ETH to ${supplier}. Bob must agree.
Digits of the request: ${large.digits}

Copy Bob's key:

API_PUBLIC_KEY=${bob.publicKey} API_PRIVATE_KEY=${bob.secret}

Open this and paste it:

${link}

The same words and digits in a terminal, where nobody has to trust the page:

node ${word(claviger)} approve ${large.id} --as ${word(bob.file)}`)
