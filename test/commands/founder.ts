import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { runCommand, type Settings, temporaryFolder } from '../support/running-service.ts'
import { type StampKey, stampKeyFrom, stampWith } from '../support/stamper.ts'

/** Someone about to set an instance up: a folder that is not there yet, and a key pair of their own. */
export function founder(): { readonly dataFolder: string; readonly key: StampKey } {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', (length) => randomBytes(length))
  return { dataFolder: join(temporaryFolder(), 'data'), key }
}

export function initArguments(publicKey: string): readonly string[] {
  return ['--organization', 'Acme', '--user', 'Ada', '--public-key', publicKey]
}

export async function init(
  dataFolder: string,
  { publicKey }: StampKey,
  settings: Settings = {},
  more: readonly string[] = [],
) {
  const { code, output } = await runCommand(['init', ...initArguments(publicKey), ...more], {
    CLAVIGER_DATA: dataFolder,
    ...settings,
  })
  return { code, output, organizationId: /^ORGANIZATION_ID=(.*)$/m.exec(output)?.[1] ?? '' }
}

type As = { readonly organizationId: string; readonly key: StampKey }

/** Makes a key and a signature with it, as this user; the user's name. */
export async function signs(url: string, by: As): Promise<string> {
  const name = `Key ${randomBytes(8).toString('hex')}`
  const created = await submit(url, by, 'create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: name, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }],
  })
  await submit(url, by, 'sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: created.activity.result.createPrivateKeysResultV2.privateKeys[0].privateKeyId,
    payload: 'Hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  const whoami = await post(url, by, '/public/v1/query/whoami', { organizationId: by.organizationId })
  return whoami.username
}

export async function submit(url: string, by: As, operation: string, type: string, parameters: object) {
  return await post(url, by, `/public/v1/submit/${operation}`, {
    type,
    timestampMs: String(Date.now()),
    organizationId: by.organizationId,
    parameters,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever came over the wire
export async function post(url: string, { key }: As, path: string, body: object): Promise<any> {
  const text = JSON.stringify(body)
  const { stampHeaderName, stampHeaderValue } = stampWith(key, text)
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    body: text,
    headers: { [stampHeaderName]: stampHeaderValue },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}
