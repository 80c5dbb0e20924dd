/**
 * Resolves when the work has ended, with any outcome. It holds no result: the tables that a `Map` or a `Set` leaves
 * behind hold what was in them for some time.
 */
export function endOf(work: Promise<unknown>): Promise<void> {
  return work.then(nothing, nothing)
}

function nothing(): void {}
