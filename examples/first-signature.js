// Makes a private key in a running Claviger and signs with it: the whole protocol in one page, without a client
// library.
//   node examples/first-signature.js .claviger/dev.env
import { createPrivateKey, createSign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const settingsFile = process.argv[2] ?? '.claviger/dev.env'
if (!existsSync(settingsFile)) {
  console.error(`There is no ${settingsFile}: start claviger dev in this folder, which makes it.`)
  process.exit(1)
}
const settings = Object.fromEntries(
  readFileSync(settingsFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

/** The stamp: an ECDSA signature over the exact bytes of the body, with the API key. */
function stamp(body) {
  const signature = createSign('sha256').update(body).sign(apiKey, 'hex')
  const json = { publicKey: settings.API_PUBLIC_KEY, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  return Buffer.from(JSON.stringify(json)).toString('base64url')
}

async function submit(operation, type, parameters) {
  const organizationId = settings.ORGANIZATION_ID
  const body = JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters })
  const url = `${settings.BASE_URL}/public/v1/submit/${operation}`
  const response = await fetch(url, { method: 'POST', body, headers: { 'X-Stamp': stamp(body) } }).catch(
    noAnswer,
  )
  const answer = await response.json()
  if (!response.ok) throw new Error(`${operation}: ${answer.message}`)
  return answer.activity.result
}

function noAnswer(error) {
  console.error(
    `No service answers at ${settings.BASE_URL} (${error.cause?.code}): start claviger dev in this folder.`,
  )
  process.exit(1)
}

// The API key as PKCS#8: a fixed head, the 32 bytes of the private key.
const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'
const apiKey = createPrivateKey({
  key: Buffer.from(head + settings.API_PRIVATE_KEY, 'hex'),
  format: 'der',
  type: 'pkcs8',
})

const created = await submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
  privateKeys: [
    {
      privateKeyName: `First key, ${new Date().toISOString()}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ],
})
const { address } = created.createPrivateKeysResultV2.privateKeys[0].addresses[0]
console.log(`A new key. Its Ethereum address: ${address}`)

const signed = await submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
  signWith: address,
  payload: 'Hello, Claviger!',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_KECCAK256',
})
console.log('A signature of "Hello, Claviger!":', signed.signRawPayloadResult)
