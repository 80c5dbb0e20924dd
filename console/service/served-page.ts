import { Unreachable } from './post.ts'

/**
 * Whether the service still serves the page that runs here. Files that a page loads late are of its own version, so
 * that they are missing once the service has another one.
 *
 * @throws Unreachable
 */
export async function isStillServed(): Promise<boolean> {
  const own = document.querySelector('script[src]')?.getAttribute('src') ?? ''
  try {
    const answer = await fetch('./', { cache: 'no-store' })
    return !answer.ok || (await answer.text()).includes(`src="${own}"`)
  } catch {
    throw new Unreachable()
  }
}
