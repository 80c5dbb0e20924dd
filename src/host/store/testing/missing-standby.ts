import type pg from 'pg'

/**
 * Has a server wait for a standby that does not exist, and returns once it does: a setting is shown before the server's
 * checkpointer has read it, and until then a commit does not wait.
 *
 * @param operator  the only other client that writes
 */
export async function missStandby(operator: pg.ClientBase, probe: pg.ClientBase): Promise<void> {
  await operator.query("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
  await operator.query('SELECT pg_reload_conf()')
  for (let hasWaited = false; !hasWaited; ) {
    let isDone = false
    const written = probe.query("SELECT pg_logical_emit_message(true, 'probe', '')").finally(() => {
      isDone = true
    })
    while (!isDone && !hasWaited) hasWaited = await cancelWaiting(operator)
    await written
  }
}

/** Cancels a commit that waits for the standby; false if there is none. */
export async function cancelWaiting(operator: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await operator.query(CANCEL_WAITING)
  return rowCount === 1
}

const CANCEL_WAITING =
  "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1"

export async function findStandby(operator: pg.ClientBase): Promise<void> {
  await operator.query('ALTER SYSTEM RESET synchronous_standby_names')
  await operator.query('SELECT pg_reload_conf()')
}
