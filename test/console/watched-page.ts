import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'

/**
 * Collects what goes wrong in the pages of a browser: exceptions, errors in their logs, and violations of their
 * policies.
 */
export function watchForTrouble(browser: BrowserContext): {
  /** Fails where there was any other trouble than these, or one of these was not. */
  readonly assertOnly: (expected: readonly RegExp[]) => Promise<void>
} {
  const troubles: string[] = []
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`))
    page.on('console', (message) => {
      const { url } = message.location()
      // What the service refuses is logged by the browser itself, and shown by the page.
      const isAnswer = message.text().startsWith('Failed to load resource') && url.includes('/public/v1/')
      if (message.type() === 'error' && !isAnswer) troubles.push(`log: ${message.text()}`)
    })
  }
  browser.on('page', watch)
  return {
    assertOnly: async (expected) => {
      // What a page has met is told in order: an answer of it comes after all that was before.
      for (const page of browser.pages()) await page.evaluate('0')
      browser.off('page', watch)
      const isExpected = (trouble: string): boolean => expected.some((one) => one.test(trouble))
      assert.deepEqual(
        troubles.filter((trouble) => !isExpected(trouble)),
        [],
      )
      for (const one of expected)
        assert.ok(
          troubles.some((trouble) => one.test(trouble)),
          String(one),
        )
    },
  }
}
