import { type JsonSchema, type Shape, text } from '../../trusted/catalogue/shape.ts'
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
  /** Counts a sign-up from this network, and answers what takes it back. @throws Failure `tooManySignUps` */
  readonly countSignUp: () => () => void
}

export type Endpoint = {
  readonly summary: string
  /** Of the JSON that is taken and of the JSON that is answered, for the description of the interface. */
  readonly schemas: { readonly body: JsonSchema; readonly answer: JsonSchema }
  readonly handle: (json: unknown, proxied: Proxied) => Promise<object>
}

/** An endpoint that takes bodies of this shape. */
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

/** Read by the activity that it is handed to, which knows what it has to be. */
export const handedOn: Shape<unknown> = { read: (value) => value, schema: {} }

/** A text in an answer, which has no bound of its own. */
export const answeredText: Shape<string> = text({ max: Number.MAX_SAFE_INTEGER })
