import type { Shape } from '../../trusted/catalogue/shape.ts'
import type { Host } from '../pipeline/host.ts'
import type { AuthProxyConfig } from './config.ts'
import type { Member } from './member.ts'

/** What an endpoint of the auth proxy works with, for one call. */
export type Proxied = {
  readonly config: AuthProxyConfig
  readonly member: Member
  readonly host: Host
  /** Stands for where the call came from and a contact, and does not tell the place: 64 hex digits. */
  readonly askerOf: (contact: string) => string
  /** Counts a code that this network asks for. @throws Failure `maxOtpInitiated` */
  readonly countCode: () => void
}

export type Endpoint = (json: unknown, proxied: Proxied) => Promise<object>

/** An endpoint that takes bodies of this shape. */
export function endpoint<B>(
  body: Shape<B>,
  handle: (body: B, proxied: Proxied) => Promise<object>,
): Endpoint {
  return async (json, proxied) => await handle(body.read(json, '', 'lenient'), proxied)
}

/** Read by the activity that it is handed to, which knows what it has to be. */
export const handedOn: Shape<unknown> = { read: (value) => value, schema: {} }
