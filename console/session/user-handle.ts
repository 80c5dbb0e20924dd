import { fromHex } from '../service/bytes.ts'

/** Two ids, 16 bytes each: a passkey with it signs in without saying the organization. */
export function userHandle(organizationId: string, userId: string): Uint8Array<ArrayBuffer> {
  return fromHex(`${organizationId}${userId}`.replaceAll('-', '')) ?? new Uint8Array(32)
}

/** The organization that such a passkey is of; undefined where it was made elsewhere. */
export function organizationOf(handle: ArrayBuffer | null): string | undefined {
  const bytes = new Uint8Array(handle ?? new ArrayBuffer())
  if (bytes.length !== 32) return undefined
  const hex = [...bytes.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
