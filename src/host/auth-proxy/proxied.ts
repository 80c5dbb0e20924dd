import { type JsonSchema, type Shape, text } from '../../trusted/catalogue/shape.ts'
import type { Units } from '../../trusted/base/work.ts'
import type { Host } from '../pipeline/host.ts'
import type { AuthProxyConfig } from './config.ts'
import type { Member } from './member.ts'

/** The parts for one call of an endpoint of the auth proxy. */
export type Proxied = {
  readonly config: AuthProxyConfig
  readonly member: Member
  readonly host: Host
  /** Charges the caller for work of the proxy itself; that of the vault is charged already. */
  readonly spend: (units: Units) => void
  /** A text for the origin of the call and a contact, which does not reveal the origin: 64 hex digits. */
  readonly askerOf: (contact: string) => string
  /** Counts a code for this network. @throws Failure `maxOtpInitiated`, `tooManyCodes` */
  readonly countCode: () => Promise<void>
  /**
   * Counts a sign-up from this network, and returns a function that takes it back.
   *
   * @throws Failure `tooManySignUps`
   */
  readonly countSignUp: () => () => void
}

export type Endpoint = {
  readonly summary: string
  /** The schemas of the accepted JSON and of the answered JSON, for the description of the interface. */
  readonly schemas: { readonly body: JsonSchema; readonly answer: JsonSchema }
  readonly handle: (json: unknown, proxied: Proxied) => Promise<object>
}

/** An endpoint that accepts bodies of this shape. */
export function endpoint<B>(
  {
    summary,
    body,
    answer,
  }: { readonly summary: string; readonly body: Shape<B>; readonly answer: Shape<unknown> },
  handle: (body: B, proxied: Proxied) => Promise<object>,
): Endpoint {
  return {
    summary,
    schemas: { body: body.schema, answer: answer.schema },
    handle: async (json, proxied) => await handle(body.read(json, '', 'lenient'), proxied),
  }
}

/** A value for an activity, which reads and checks it itself. */
export const handedOn: Shape<unknown> = { read: (value) => value, schema: {} }

/** A text in an answer, without a bound of its own. */
export const answeredText: Shape<string> = text({ max: Number.MAX_SAFE_INTEGER })
