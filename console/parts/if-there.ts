import { Refused } from '../service/post.ts'

/**
 * What was asked for by its id, or undefined where the service knows nothing by it: it was deleted, or the address of
 * the page has no id in it.
 */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return await asked.catch((error: unknown) => {
    if (error instanceof Refused && NOTHING.includes(error.status)) return undefined
    throw error
  })
}

/** Malformed, and not found. */
const NOTHING: readonly number[] = [400, 404]
