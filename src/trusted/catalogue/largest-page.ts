/** The most activities that a page of a replay may have. */
export const REPLAY_PAGE_MAX = 100

type Asking<T> = {
  readonly ask: (limit: number) => Promise<T>
  /** Whether the service refused the page, and may answer a smaller one. */
  readonly isTooMuch: (error: unknown) => boolean
}

/**
 * Asks for a page, and for half of it as long as the service refuses it. Only the service knows how large activities
 * are, and how much work it is to decide them.
 *
 * @param wanted  the highest number of activities; after a smaller page it may be double the `limit` of that page
 */
export async function largestPage<T>(
  wanted: number,
  { ask, isTooMuch }: Asking<T>,
): Promise<{ readonly page: T; readonly limit: number }> {
  for (let limit = Math.min(wanted, REPLAY_PAGE_MAX); ; limit = Math.ceil(limit / 2)) {
    try {
      return { page: await ask(limit), limit }
    } catch (error) {
      if (limit === 1 || !isTooMuch(error)) throw error
    }
  }
}
