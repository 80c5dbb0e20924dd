import type { S3Client } from '@aws-sdk/client-s3'
import { newClient } from './client.ts'
import { inTime } from './in-time.ts'
import type { Limit } from './limits.ts'
import { type Trouble, troubleOf } from './trouble-of.ts'

/** What each command is sent with. */
type Options = { readonly abortSignal: AbortSignal; readonly requestTimeout: number }

/** Asks a storage within a limit: what it answers, or what is wrong. */
export type Ask = <T extends object>(
  limit: Limit,
  ask: (client: S3Client, options: Options) => Promise<T>,
) => Promise<T | Trouble>

/** The client is made when it is asked for the first time. */
export function asking(): Ask {
  let made: ReturnType<typeof newClient> | undefined
  return async ({ tryMs, allMs }, ask) => {
    let at: string | undefined
    try {
      return await inTime(allMs, async (abortSignal) => {
        const found = await (made ??= newClient())
        if (found === undefined) return { trouble: 'noPlace' } as const
        at = found.at
        return await ask(found.client, { abortSignal, requestTimeout: tryMs })
      })
    } catch (error) {
      return { ...(at === undefined ? {} : { at }), ...troubleOf(error) }
    }
  }
}
