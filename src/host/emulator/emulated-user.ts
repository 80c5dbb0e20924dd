import { present } from '../../trusted/base/assert.ts'
import { toHex, utf8 } from '../../trusted/base/bytes.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import { generateP256Secret, p256PublicKeyOf, p256Signer } from '../../trusted/crypto/p256.ts'
import type { Signer } from '../../trusted/crypto/signature.ts'
import { p256Stamp } from '../http/p256-stamp.ts'
import { seededBytes } from './seeded-bytes.ts'

/** An error answer of the service. */
export type Answered = { readonly status: number; readonly json: Json }

/** The content of the answer, of any type: a suite reads it. */
export type Json = ReturnType<typeof JSON.parse>

/** A user of the emulator, whose API key is known here. */
export type EmulatedUser = {
  readonly userName: string
  readonly userId: string
  readonly organizationId: string
  /** P-256, compressed, hex. */
  readonly apiPublicKey: string
  /** Hex. */
  readonly apiPrivateKey: string
  /** A key file: lines of `NAME=value`, as `claviger dev` writes them. */
  readonly env: () => string
  /** Submits an activity in its newest form, stamped by this user: `submit('create_wallet', {…})`. */
  readonly submit: (operation: string, parameters: object) => Promise<Answered>
  readonly query: (operation: string, body?: object) => Promise<Answered>
}

/** Sends a body with a stamp to a path of the service. */
export type Send = (path: string, body: string, stamp: string) => Promise<Answered>

type UserKey = { readonly apiPublicKey: string; readonly apiPrivateKey: string; readonly signer: Signer }

/** The API key for a seed and a name. */
export function seededKey(seed: string, name: string): UserKey {
  const secret = generateP256Secret(seededBytes(JSON.stringify([seed, 'api key', name])))
  const apiPublicKey = p256PublicKeyOf(secret)
  return { apiPublicKey, apiPrivateKey: toHex(secret), signer: p256Signer(secret, apiPublicKey) }
}

export function emulatedUser(
  who: Pick<EmulatedUser, 'userName' | 'userId' | 'organizationId'> & { readonly key: UserKey },
  means: {
    readonly baseUrl: () => string
    readonly send: Send
    /** The time of a request; of two equal requests, the second gets another time. */
    readonly timestampMs: (label: string) => number
    readonly types: ReadonlyMap<string, string>
  },
): EmulatedUser {
  const { userName, userId, organizationId, key } = who
  const { apiPublicKey, apiPrivateKey, signer } = key
  const { baseUrl, send, timestampMs, types } = means
  const stamped = (path: string, body: object): Promise<Answered> => {
    const text = JSON.stringify(body)
    return send(path, text, p256Stamp(signer, utf8(text)))
  }
  const lines = () => [
    ['BASE_URL', baseUrl()],
    ['ORGANIZATION_ID', organizationId],
    ['USER_ID', userId],
    ['API_PUBLIC_KEY', apiPublicKey],
    ['API_PRIVATE_KEY', apiPrivateKey],
  ]
  return {
    userName,
    userId,
    organizationId,
    apiPublicKey,
    apiPrivateKey,
    env: () =>
      lines()
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    submit: (operation, parameters) =>
      stamped(`/public/v1/submit/${operation}`, {
        type: types.get(operation) ?? '',
        timestampMs: String(timestampMs(`${operation} ${userId}`)),
        organizationId,
        parameters,
      }),
    query: (operation, body = {}) => stamped(`/public/v1/query/${operation}`, { organizationId, ...body }),
  }
}

/** The newest type of each operation. */
export function newestTypes(activities: readonly Activity[]): ReadonlyMap<string, string> {
  return new Map(
    activities.map(({ operation, forms }) => [
      operation,
      present(forms.at(-1), 'a form of an activity').type,
    ]),
  )
}
