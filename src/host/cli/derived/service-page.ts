import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { codeBlock } from './blocks.ts'
import type { Examples } from './examples.ts'
import { SERVICE_ROUTES } from './openapi-service.ts'

/** The page of the routes for data about the service itself. */
export function servicePage(examples: Examples['service']): string {
  return markdownPage([
    '# Routes of the service',
    'Derived by `npm run derive`.',
    'These are answered to `GET`, without a stamp. `/healthz` and `/readyz` are outside the rate limits, so that a probe behind a shared address is always answered.',
    ...SERVICE_ROUTES.flatMap(({ path, summary }) => {
      const example = examples[path]
      return [`## ${path}`, `${summary}.`, ...(example === undefined ? [] : [codeBlock(example)])]
    }),
  ])
}
