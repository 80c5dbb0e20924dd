import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import type { Query } from '../../../trusted/catalogue/query.ts'
import type { Endpoint } from '../../auth-proxy/proxied.ts'
import { authProxyPage } from './auth-proxy-page.ts'
import { cliPage } from './cli-page.ts'
import { constantsOf, sourceTexts } from './constants.ts'
import { declaredFailures } from './declared-failures.ts'
import { errorsPage } from './errors-page.ts'
import type { Examples } from './examples.ts'
import { limitsPage } from './limits-page.ts'
import { metricsPage } from './metrics-page.ts'
import { activityPage, queryPage } from './operation-page.ts'
import { servicePage } from './service-page.ts'
import { settingsPage } from './settings-page.ts'

type Of = {
  readonly activities: readonly Activity[]
  readonly queries: readonly Query[]
  readonly authProxy: Readonly<Record<string, Endpoint>>
  readonly examples: Examples
}

/** A folder in which every file is derived. */
export const OPERATION_PAGES = 'docs/reference/operations/'

/** The derived pages of the reference, by their paths. */
export function referencePages(root: URL, of: Of): readonly (readonly [path: string, text: string])[] {
  const { activities, queries, authProxy, examples } = of
  const sources = sourceTexts(root)
  const constants = constantsOf(sources)
  const declared = declaredFailures(sources, constants)
  const failures = new Map(declared.map((failure) => [failure.kind, failure]))
  const names = [...activities, ...queries].map(({ operation }) => operation)
  const page = (operation: string, text: string) => [`${OPERATION_PAGES}${operation}.md`, text] as const
  const partsOf = (operation: string) => ({
    exchange: examples.operations[operation],
    failures,
    related: relatedTo(operation, names),
  })
  return [
    ['docs/reference/README.md', indexPage(of)],
    ['docs/reference/errors.md', errorsPage(declared, activities)],
    ['docs/reference/auth-proxy.md', authProxyPage(authProxy, examples.authProxy)],
    ['docs/reference/service.md', servicePage(examples.service)],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/cli.md', cliPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/limits.md', limitsPage(constants)],
    ...activities.map((one) => page(one.operation, activityPage(one, partsOf(one.operation)))),
    ...queries.map((one) => page(one.operation, queryPage(one, partsOf(one.operation)))),
  ]
}

/** Operations on the same object: `create_wallet` and `get_wallets`, but not `create_wallet_authenticators`. */
function relatedTo(operation: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== operation && thingOf(name) === thingOf(operation)).toSorted()
}

function thingOf(operation: string): string {
  const thing = operation
    .replace(/^init_/, '')
    .replace(
      /^(create|update|delete|get|list|set|remove|import|export|verify|approve|reject|sign|try|explain|replay)_/,
      '',
    )
  return thing.replace(/ies$/, 'y').replace(/s$/, '')
}

function indexPage({ activities, queries }: Of): string {
  return markdownPage([
    '# Reference',
    'Derived by `npm run derive` from the declarations in `src/trusted/activities` and `src/host/queries`.',
    [
      '- [Requests](requests.md): the body, the stamp, the answer, the record',
      '- [Errors](errors.md): every kind, with its text and what to do',
      '- [Client signatures](client-signatures.md): what `otp_login` and a sign-up want signed',
      '- [Webhook signatures](webhook-signatures.md): what is signed, and how a receiver verifies it',
      '- [The stream of changes](stream.md), for pages that stay open',
      '- [Auth proxy](auth-proxy.md), and the [routes of the service](service.md) itself',
      '- [Limits](limits.md), [settings](settings.md), [command line](cli.md), [metrics](metrics.md), [request log](request-log.md), [audit stream](audit-stream.md)',
      '- [Policy language](../policy-language.md) and [policy words](../policy-vocabulary.md), [chains](../chains.md)',
      '- [`openapi.json`](../../openapi.json) describes the same for generators of clients, with [the examples](examples.json)',
    ].join('\n'),
    '## Activities',
    'An activity changes something. It is a `POST` to `/public/v1/submit/<operation>`.',
    ...byResource(activities).flatMap(([resource, of]) => [`### ${resource}`, table(of)]),
    '## Queries',
    'A query only reads. It is a `POST` to `/public/v1/query/<operation>`.',
    table(queries),
  ])
}

function byResource(activities: readonly Activity[]): readonly (readonly [string, readonly Activity[]])[] {
  const grouped = Object.groupBy(activities, ({ resource }) => resource)
  return Object.entries(grouped).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function table(of: readonly { readonly operation: string; readonly summary: string }[]): string {
  const rows = of
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
    .map(({ operation, summary }) => `| [${operation}](operations/${operation}.md) | ${summary} |`)
  return ['| Operation | |', '|---|---|', ...rows].join('\n')
}
