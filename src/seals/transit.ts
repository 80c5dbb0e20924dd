import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8 } from '../trusted/base/bytes.ts'
import { isPlain, oneOf, openRecord, record, text, textLike } from '../trusted/base/plain.ts'
import { Secret } from '../trusted/base/secret.ts'
import { isLoopback } from '../trusted/base/loopback.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from './check-parameters.ts'
import { SealUnset } from './seal-unset.ts'
import type { Seal, SealMeans } from './seal.ts'

const NAME = /^[\w-]{1,100}$/
/** One word, and what may stand around it in a file. */
const TOKEN = /^\s*[!-~]+\s*$/
const entry = record({
  seal: oneOf(['transit']),
  mount: textLike(NAME, 'the path of the engine'),
  key: textLike(NAME, 'the name of a key'),
  wrapped: text(2_000),
})
const encrypted = openRecord({ data: openRecord({ ciphertext: text(2_000) }) })
const decrypted = openRecord({ data: openRecord({ plaintext: text(2_000) }) })

const MS_MAX = 30_000
/** Of an answer, which has a key or a ciphertext. */
const ANSWER_BYTES_MAX = 64 * 1024

/** The transit engine of OpenBao or Vault: a key in it encrypts the file key, bound to the file. */
export const transit: Seal = {
  name: 'transit',
  isTried: true,
  close: async (key, { parameters, file }, means) => {
    const { key: name = '', mount = 'transit' } = checkParameters('transit', parameters, ['key'], ['mount'])
    if (!NAME.test(name) || !NAME.test(mount))
      throw new RootKeyError('key and mount of the seal transit are letters, digits, _ and -')
    const plaintext = Buffer.from(key.reveal()).toString('base64')
    const answer = await ask(means, `${mount}/encrypt/${name}`, { plaintext, associated_data: bound(file) })
    if (!isPlain(encrypted, answer)) throw new RootKeyError('the transit engine answered no ciphertext')
    return { mount, key: name, wrapped: answer.data.ciphertext }
  },
  open: async (found, file, means) => {
    if (!isPlain(entry, found))
      throw new RootKeyError('the root key file does not say which key of which engine')
    const { mount, key, wrapped: ciphertext } = found
    const answer = await ask(means, `${mount}/decrypt/${key}`, { ciphertext, associated_data: bound(file) })
    if (!isPlain(decrypted, answer)) throw new RootKeyError('the transit engine answered no plaintext')
    const bytes = Buffer.from(answer.data.plaintext, 'base64')
    if (bytes.length !== 32) throw new RootKeyError('the transit engine decrypted something else than a key')
    return new Secret(bytes)
  },
}

async function ask(means: SealMeans, path: string, body: object): Promise<unknown> {
  const { address, token, namespace } = serverOf(means)
  try {
    const response = await fetch(new URL(`v1/${path}`, address), {
      method: 'POST',
      headers: { 'X-Vault-Token': token, 'X-Vault-Request': 'true', ...namespace },
      body: JSON.stringify(body),
      // The token is sent to the configured server only.
      redirect: 'manual',
      signal: AbortSignal.timeout(MS_MAX),
    })
    if (!response.ok) throw new RootKeyError(`${address.origin} answered ${response.status} to ${path}`)
    const text = await shortText(response)
    if (text === undefined) throw new RootKeyError(`${address.origin} answered ${path} with too much`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof RootKeyError) throw error
    throw new RootKeyError(`${address.origin} cannot be asked: ${reasonOf(error)}`)
  }
}

/** @returns undefined where it has more bytes than an answer has: the rest is not waited for, and fills no memory */
async function shortText({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Its code, and no text, which may quote what was sent or answered. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'its answer is no JSON'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return 'no reason was given'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}

/** The same variables as the command lines of both. */
function serverOf({ environment }: SealMeans) {
  const said = (name: string): string | undefined =>
    environment[`BAO_${name}`] ?? environment[`VAULT_${name}`]
  const given = said('ADDR')
  if (given === undefined || !URL.canParse(given))
    throw new SealUnset('the seal transit needs BAO_ADDR or VAULT_ADDR, such as https://bao.example:8200')
  const address = new URL(given.endsWith('/') ? given : `${given}/`)
  if (address.username !== '' || address.password !== '')
    throw new RootKeyError(
      `the address of ${address.origin} has a user or a password: a token is all that is sent`,
    )
  if (address.protocol !== 'https:' && !isLoopback(address.hostname))
    throw new RootKeyError(`${address.origin} is not https: a key does not go over a network in the clear`)
  const namespace = said('NAMESPACE')
  const token = said('TOKEN') ?? tokenFile(environment['HOME'])
  // A table of the command line, for example, instead of the token in it.
  if (!TOKEN.test(token)) throw new RootKeyError('the token of the seal transit is not one word')
  return {
    address,
    token,
    namespace: namespace === undefined ? {} : { 'X-Vault-Namespace': namespace },
  }
}

function tokenFile(home = '/nonexistent'): string {
  try {
    return readFileSync(join(home, '.vault-token'), 'utf8').trim()
  } catch {
    throw new SealUnset(
      'the seal transit needs BAO_TOKEN or VAULT_TOKEN, or the file .vault-token of its user',
    )
  }
}

function bound(file: string): string {
  return Buffer.from(utf8(`claviger root key ${file}`)).toString('base64')
}
