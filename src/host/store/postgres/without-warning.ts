import type pg from 'pg'
import { StoreError } from '../store-error.ts'

/**
 * Runs a commit, and trusts it only if PostgreSQL reports no warning. For example, a commit that is cancelled while it
 * waits for its standby exists only on this server: it succeeds, with a warning.
 *
 * @throws StoreError `unavailable` after a warning: whether the commit survives this server is unknown
 */
export async function withoutWarning<Result>(
  client: pg.ClientBase,
  commit: () => Promise<Result>,
): Promise<Result> {
  let warning: Notice | undefined
  const hear = (notice: Notice): void => {
    if (notice.code !== NOTHING_WRONG) warning ??= notice
  }
  client.on('notice', hear)
  try {
    const result = await commit()
    if (warning === undefined) return result
  } finally {
    client.off('notice', hear)
  }
  throw new StoreError(
    'unavailable',
    `PostgreSQL committed with a warning (${warning.message ?? warning.code}); whether the commit will stand is unknown`,
  )
}

type Notice = { readonly code: string | undefined; readonly message?: string | undefined }

/**
 * SQLSTATE of a notice that is not a warning. The severity would show this as well, but it is in the language of the
 * server.
 */
const NOTHING_WRONG = '00000'
