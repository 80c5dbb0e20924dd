import { Refused } from '../service/post.ts'

/** What was asked for by its id, or undefined where the service knows nothing by it, such as after it was deleted. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return await asked.catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  })
}
