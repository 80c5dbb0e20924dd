import type { BrowserContext, Page } from 'playwright-core'
import { openChromium, pageWithAuthenticator } from '../support/chromium.ts'
import type { ModuleGraph } from './module-graph.ts'
import { type PageServer, pageServer } from './page-server.ts'

/** A page in headless Chromium with a virtual authenticator, on which published packages run as they are. */
export type BrowserPage = {
  readonly origin: PageServer['origin']
  readonly page: Page
  /** Calls a function that the script of the page has put into its global scope. */
  readonly call: <T>(name: string, ...given: readonly unknown[]) => Promise<T>
  readonly close: () => Promise<void>
}

/** @param script  a module that may import what the graph was made of */
export async function browserPage(graph: ModuleGraph, script: string): Promise<BrowserPage> {
  const server = await pageServer(graph, script)
  const page = await browserPageAt(server.origin)
  return {
    ...page,
    close: async () => {
      await page.close()
      await server.close()
    },
  }
}

/** A page of a server that runs already, in a browser that remembers nothing of another one. */
export async function browserPageAt(origin: string): Promise<BrowserPage> {
  const context = await openChromium()
  const page = await openPage(context, origin)
  return {
    origin,
    page,
    // The caller says what the function of its script answers with.
    call: (name, ...given) => page.evaluate(`${name}(...${JSON.stringify(given)})`),
    close: () => context.close(),
  }
}

async function openPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await pageWithAuthenticator(context, context.pages()[0])
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(origin)
  await page.waitForFunction('globalThis.isReady === true').catch((error: unknown) => {
    throw new Error(`the page does not load: ${problems.join('; ')}`, { cause: error })
  })
  return page
}
