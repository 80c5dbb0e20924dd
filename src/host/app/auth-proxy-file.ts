import { readFileSync } from 'node:fs'
import { fromHex } from '../../trusted/base/bytes.ts'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson } from '../../trusted/base/strict-json.ts'
import {
  boolean,
  int32,
  invalidField,
  list,
  object,
  optional,
  refined,
  type Shape,
  text,
  type TypeOf,
  uuid,
} from '../../trusted/catalogue/shape.ts'
import { isP256Secret, p256PublicKeyOf } from '../../trusted/crypto/p256.ts'
import { ALLOWANCES, type AuthProxyConfig } from '../auth-proxy/config.ts'
import { othersMayRead } from './file-mode.ts'

/**
 * The file that `CLAVIGER_AUTH_PROXY` names: a list of configurations as JSON. Only its owner may read it, since it
 * contains keys.
 */
export function readAuthProxyFile(path: string, problems: string[]): readonly AuthProxyConfig[] {
  const trouble = (what: string): readonly AuthProxyConfig[] => {
    problems.push(`CLAVIGER_AUTH_PROXY names ${path}, ${what}`)
    return []
  }
  let entries: JsonValue
  try {
    const bytes = readFileSync(path)
    if (othersMayRead(path)) trouble('which contains private keys and can be read by others: chmod 600 it')
    entries = readJson(bytes)
  } catch (error) {
    // A message about invalid JSON names the position, and never quotes the text.
    if (error instanceof Failure) return trouble(`which is not JSON: ${placeOf(error)}`)
    return trouble(`which cannot be read: ${fileTrouble(error) ?? String(error)}`)
  }
  if (!Array.isArray(entries)) return trouble('which is not a list of configurations')
  const configs = entries.flatMap((entry: JsonValue, index) => {
    const found = problemsOf(entry)
    for (const item of found) trouble(`in configuration ${index + 1}: ${item}`)
    return found.length > 0 ? [] : [configOf(entryShape.read(entry, '', 'strict'))]
  })
  const ids = configs.map(({ configId }) => configId)
  for (const id of new Set(ids.filter((item, index) => ids.indexOf(item) !== index)))
    trouble(`where ${JSON.stringify(id)} is the configId of more than one configuration`)
  return configs
}

function placeOf({ message }: Failure): string {
  return /at byte \d+$/.exec(message)?.[0] ?? 'at its beginning'
}

/** All problems of one configuration. */
function problemsOf(entry: JsonValue): readonly string[] {
  if (!isJsonObject(entry)) return ['it is not an object']
  const names = new Set([...Object.keys(fields), ...Object.keys(entry)])
  const problems = [...names].flatMap((name) => problemOf(entry, name))
  if (problems.length > 0) return problems
  const read = entryShape.read(entry, '', 'strict')
  return [
    ...(keysBelongTogether(read) ? [] : ['apiPublicKey is not the public key of apiPrivateKey']),
    ...(read.allow.oauth === true && !namesClients(read)
      ? ['allow.oauth needs a client id in oauthClientIds or socialLinkingClientIds: no other token is taken']
      : []),
  ]
}

function problemOf(entry: JsonObject, name: string): readonly string[] {
  const shape = new Map<string, Shape<unknown>>(Object.entries(fields)).get(name)
  if (shape === undefined) return [`${JSON.stringify(name.slice(0, 64))} is not a field of it`]
  const value = entry[name] ?? undefined
  if (value === undefined) return shape.isOptional === true ? [] : [`${name} is missing`]
  try {
    shape.read(value, name, 'strict')
    return []
  } catch (error) {
    if (error instanceof Failure) return [error.message.replace(/^invalid request body: (field )?/, '')]
    throw error
  }
}

function namesClients({ oauthClientIds = {}, socialLinkingClientIds = [] }: Entry): boolean {
  return socialLinkingClientIds.length > 0 || Object.values(oauthClientIds).some((id) => id !== undefined)
}

function keysBelongTogether({ apiPrivateKey, apiPublicKey }: Entry): boolean {
  return p256PublicKeyOf(secretOf(apiPrivateKey)) === apiPublicKey
}

/** A text that no message quotes. */
function unquoted(isValid: (value: string) => boolean, problem: string): Shape<string> {
  return {
    read: (value, at) => {
      if (typeof value !== 'string' || !isValid(value)) throw invalidField({ field: at, problem })
      return value
    },
    schema: { type: 'string' },
  }
}

function ranged(min: number, max: number): Shape<number> {
  return refined(int32, {
    problem: (value) => (value >= min && value <= max ? undefined : `must be from ${min} to ${max}`),
  })
}

/** In the form of the header `Origin` of browsers (RFC 6454, 6.2), also for applications with a scheme of their own. */
const origin = refined(text({ min: 1, max: 255 }), {
  problem: (value) =>
    value === '*' || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+$/.test(value)
      ? undefined
      : 'must be an origin such as https://app.example, without a path, or *',
})

const allowed = optional(boolean)
const shortText = text({ min: 1, max: 255 })
const fields = {
  configId: refined(text({ min: 1, max: 128 }), {
    problem: (value) => (/^[\w.-]+$/.test(value) ? undefined : 'must be letters, digits and . _ -'),
  }),
  organizationId: uuid,
  apiPublicKey: unquoted(
    (value) => /^0[23][0-9a-f]{64}$/.test(value),
    'must be a compressed P-256 key: 66 hexadecimal digits in lower case',
  ),
  apiPrivateKey: unquoted(
    (value) => /^[0-9a-fA-F]{64}$/.test(value) && isP256Secret(secretOf(value)),
    'must be a P-256 private key: 64 hexadecimal digits',
  ),
  allowedOrigins: refined(list(origin, { max: 100 }), {
    problem: (values) =>
      values.length === 0 || (values.includes('*') && values.length > 1)
        ? 'must have an origin, or * and nothing else'
        : undefined,
  }),
  sessionExpirationSeconds: optional(ranged(1, 31_536_000)),
  otp: optional(
    object({
      length: optional(ranged(6, 9)),
      alphanumeric: allowed,
      expirationSeconds: optional(ranged(1, 600)),
      codesPerNetwork: optional(ranged(1, 1_000_000)),
      codesPerNetworkInDay: optional(ranged(1, 1_000_000_000)),
      percentOfMessages: optional(ranged(1, 100)),
    }),
  ),
  signUps: optional(
    object({
      perDay: optional(ranged(1, 1_000_000_000)),
      perNetwork: optional(ranged(1, 1_000_000_000)),
    }),
  ),
  appName: optional(shortText),
  sendFromEmailAddress: optional(shortText),
  sendFromEmailSenderName: optional(shortText),
  replyToEmailAddress: optional(shortText),
  oauthClientIds: optional(
    object({
      google: optional(shortText),
      apple: optional(shortText),
      facebook: optional(shortText),
      x: optional(shortText),
      discord: optional(shortText),
    }),
  ),
  socialLinkingClientIds: optional(list(shortText, { max: 100 })),
  oauthRedirectUrl: optional(text({ min: 1, max: 2048 })),
  allow: object({
    signup: allowed,
    otpEmail: allowed,
    otpSms: allowed,
    oauth: allowed,
    passkey: allowed,
    wallet: allowed,
  }),
}
const entryShape = object(fields)
type Entry = TypeOf<typeof entryShape>

const SESSION_SECONDS = 900
const OTP = {
  length: 9,
  alphanumeric: true,
  expirationSeconds: 300,
  codesPerNetwork: 100,
  percentOfMessages: 90,
}
const SIGN_UPS_PER_NETWORK = 1_000
const APP_NAME = 'Claviger'

function configOf(entry: Entry): AuthProxyConfig {
  const { apiPrivateKey, otp, signUps = {}, oauthClientIds = {}, oauthRedirectUrl, allow, ...rest } = entry
  const { sendFromEmailAddress, sendFromEmailSenderName, replyToEmailAddress, ...own } = rest
  return {
    sessionExpirationSeconds: SESSION_SECONDS,
    appName: APP_NAME,
    socialLinkingClientIds: [],
    ...own,
    apiPrivateKey: new Secret(secretOf(apiPrivateKey)),
    otp: { ...OTP, ...otp },
    signUps: {
      perNetwork: signUps.perNetwork ?? SIGN_UPS_PER_NETWORK,
      ...(signUps.perDay === undefined ? {} : { perDay: signUps.perDay }),
    },
    sender: {
      ...(sendFromEmailAddress === undefined ? {} : { sendFromEmailAddress }),
      ...(sendFromEmailSenderName === undefined ? {} : { sendFromEmailSenderName }),
      ...(replyToEmailAddress === undefined ? {} : { replyToEmailAddress }),
    },
    oauthClientIds: Object.fromEntries(
      Object.entries(oauthClientIds).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
    ),
    ...(oauthRedirectUrl === undefined ? {} : { oauthRedirectUrl }),
    // Every name of the list is a key of the result.
    allow: Object.fromEntries(
      ALLOWANCES.map((name) => [name, allow[name] === true]),
    ) as AuthProxyConfig['allow'],
  }
}

function secretOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array()
}
