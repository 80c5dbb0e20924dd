// A transfer above a limit, which waits for a second person. Ada may send 0.1 ETH alone; for more Bob has to agree.
//   node examples/two-people.js .claviger/dev.env
// Where the console has a port of its own, its address comes behind: http://localhost:4401/console/
import { createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'

const settings = Object.fromEntries(
  readFileSync(process.argv[2] ?? '.claviger/dev.env', 'utf8')
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)
const organizationId = settings.ORGANIZATION_ID

/** An API key: a P-256 pair, its public half compressed. */
function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, d } = privateKey.export({ format: 'jwk' })
  const hex = (text) => Buffer.from(text, 'base64url').toString('hex')
  const isOdd = Buffer.from(y, 'base64url').at(-1) % 2 === 1
  return { publicKey: (isOdd ? '03' : '02') + hex(x), secret: hex(d), privateKey }
}

// The key of the root user as PKCS#8: a fixed head, the 32 bytes of the private key.
const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'
const rootKey = Buffer.from(head + settings.API_PRIVATE_KEY, 'hex')
const root = {
  publicKey: settings.API_PUBLIC_KEY,
  privateKey: createPrivateKey({ key: rootKey, format: 'der', type: 'pkcs8' }),
}

/** Asks with the key of somebody; the stamp is a signature over the exact bytes. */
async function ask({ publicKey, privateKey }, type, parameters) {
  const body = JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters })
  const signature = createSign('sha256').update(body).sign(privateKey, 'hex')
  const stamp = JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })
  const operation = type.replace('ACTIVITY_TYPE_', '').replace(/_V\d$/, '').toLowerCase()
  const url = `${settings.BASE_URL}/public/v1/submit/${operation}`
  const headers = { 'X-Stamp': Buffer.from(stamp).toString('base64url') }
  const response = await fetch(url, { method: 'POST', body, headers })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${type}: ${answer.message}`)
  return answer.activity
}

const [ada, bob] = [newKey(), newKey()]
const user = (userName, { publicKey }) => ({
  userName,
  apiKeys: [{ apiKeyName: userName, publicKey, curveType: 'API_KEY_CURVE_P256' }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})
const users = [user('Ada', ada), user('Bob', bob)]
const [adaId, bobId] = (await ask(root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })).result.createUsersResult
  .userIds

const made = await ask(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
  privateKeys: [
    {
      privateKeyName: `Treasury, ${new Date().toISOString()}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ],
})
const [{ privateKeyId, addresses }] = made.result.createPrivateKeysResultV2.privateKeys

const paysFrom = `activity.action == 'SIGN' && private_key.id == '${privateKeyId}'`
const votes = (id) => `approvers.any(user, user.id == '${id}')`
await ask(root, 'ACTIVITY_TYPE_CREATE_POLICIES', {
  policies: [
    {
      policyName: `Ada pays up to 0.1 ETH (${privateKeyId})`,
      effect: 'EFFECT_ALLOW',
      condition: `${paysFrom} && eth.tx.value <= 100000000000000000`,
      consensus: votes(adaId),
      notes: '',
    },
    {
      policyName: `Ada and Bob pay any amount (${privateKeyId})`,
      effect: 'EFFECT_ALLOW',
      condition: paysFrom,
      consensus: `${votes(adaId)} && ${votes(bobId)}`,
      notes: '',
    },
  ],
})

// On Sepolia, a test network, to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC: 0.05 and 2 ETH, with fees of at most 0.00042.
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
const page = `${consoleUrl}#/approvals/${large.id}`
console.log(`Ada may send 0.1 ETH alone. She asks for 2 ETH, so Bob has to agree. Be Bob: copy his API key,

ORGANIZATION_ID=${organizationId} API_PUBLIC_KEY=${bob.publicKey} API_PRIVATE_KEY=${bob.secret}

and paste it at ${page}`)
