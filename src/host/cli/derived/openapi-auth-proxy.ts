import type { Endpoint } from '../../auth-proxy/proxied.ts'
import type { Examples } from './examples.ts'
import { postOf } from './openapi-post.ts'
import type { NamedSchemas } from './openapi-schemas.ts'

/**
 * The paths of the auth proxy. Its operations have names of their own, because an activity is called `otp_login` too.
 */
export function authProxyPaths(
  endpoints: Readonly<Record<string, Pick<Endpoint, 'summary' | 'schemas'>>>,
  schemas: NamedSchemas,
  examples: Examples['authProxy'],
): readonly (readonly [path: string, item: object])[] {
  return Object.entries(endpoints).map(([name, { summary, schemas: of }]) => [
    `/v1/${name}`,
    postOf({
      operation: `auth_proxy_${name}`,
      summary,
      tag: 'AUTH_PROXY',
      stamps: ['authProxyConfig'],
      request: schemas.described(of.body),
      answered: 'What was asked for',
      answer: schemas.described(of.answer),
      exchange: examples[name],
    }),
  ])
}
