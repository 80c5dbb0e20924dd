import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Axe describes the elements of violations alone: nobody looks at its other results. */
const RUN = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"

type Finding = {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Fails where axe finds something moderate or worse in the page as it stands. */
export async function assertAccessible(
  page: Page,
  colorSchemes: readonly ('dark' | 'light')[] = ['dark', 'light'],
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Half a megabyte, sent to a page once.
    if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE)
    // Axe answers with these.
    const findings = (await page.evaluate(RUN)) as Finding[]
    const serious = findings.filter(({ impact }) => impact !== 'minor')
    const told = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} (${colorScheme}): ${html}\n${failureSummary}`),
    )
    assert.deepEqual(told, [])
  }
}
