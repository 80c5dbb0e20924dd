import { fieldsOf } from '../../../trusted/catalogue/fields.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import type { Endpoint } from '../../auth-proxy/proxied.ts'
import { codeBlock, fieldTable } from './blocks.ts'
import type { Examples } from './examples.ts'

/** The page of the auth proxy: each endpoint with its request and its answer. */
export function authProxyPage(
  endpoints: Readonly<Record<string, Endpoint>>,
  examples: Examples['authProxy'],
): string {
  return markdownPage([
    '# Auth proxy',
    'Derived by `npm run derive` from the declarations in `src/host/auth-proxy`.',
    'The auth proxy serves browsers that have no backend: a page signs users up and logs them in through it. It is there where `CLAVIGER_AUTH_PROXY` names a file of configurations ([how it decides](../decisions/auth-proxy.md)).',
    'Every endpoint is a `POST` of a JSON object to `/v1/<endpoint>`. The header `X-Auth-Proxy-Config-Id` names the configuration. There is no stamp. The proxy makes the request with a key of its own, and the policies of the parent organization decide.',
    ...Object.entries(endpoints).flatMap(([name, endpoint]) => section(name, endpoint, examples[name])),
  ])
}

function section(
  name: string,
  { summary, schemas }: Endpoint,
  exchange: Examples['authProxy'][string] | undefined,
): readonly string[] {
  return [
    `## ${name}`,
    `${summary}.`,
    fieldTable(fieldsOf(schemas.body)),
    'Answer:',
    fieldTable(fieldsOf(schemas.answer)),
    'An example of a request, and of its answer:',
    codeBlock(exchange?.request ?? {}),
    codeBlock(exchange?.answer ?? {}),
  ]
}
