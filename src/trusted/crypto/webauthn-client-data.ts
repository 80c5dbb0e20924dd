import { Failure } from '../base/failure.ts'
import { type JsonObject, readJsonObject } from '../base/strict-json.ts'

/** WebAuthn level 3, section 5.8.1. Further members are allowed and ignored. */
type ClientData = {
  readonly type: string
  /** As the client wrote it: base64url, or on some platforms base64 with padding. */
  readonly challenge: string
  readonly origin: string
}

/** @returns  undefined when it is not a JSON object with these three texts */
export function readClientData(clientDataJson: Uint8Array): ClientData | undefined {
  const json = jsonObjectIn(clientDataJson)
  if (json === undefined) return undefined
  const { type, challenge, origin } = json
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string')
    return undefined
  return { type, challenge, origin }
}

/** Exact comparison (WebAuthn level 3, section 13.4.9), or any origin where the organization has set none. */
export function isOriginAllowed(origin: string, origins: readonly string[] | undefined): boolean {
  return origins === undefined || origins.includes(origin)
}

/** One text for both base64 alphabets, with and without padding. */
export function normalChallenge(challenge: string): string {
  return challenge
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

function jsonObjectIn(bytes: Uint8Array): JsonObject | undefined {
  try {
    return readJsonObject(bytes)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
