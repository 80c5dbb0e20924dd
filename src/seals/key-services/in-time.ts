import type { Asked, Trouble } from './key-service.ts'

/** Below the time limit of the seal's process, so that our own message is shown. */
const MS_MAX = 30_000

/**
 * The answer of a key service, or a timeout. Clients retry by themselves, and search for credentials in many places:
 * one limit covers all of it.
 *
 * @param signal  aborts the client's work at the timeout
 */
export async function inTime<T>(
  ask: (asked: Asked) => Promise<T | Trouble>,
  asked: Omit<Asked, 'signal'>,
  signal = AbortSignal.timeout(MS_MAX),
): Promise<T | Trouble> {
  const tooLate = new Promise<Trouble>((resolve) =>
    signal.addEventListener('abort', () => resolve({ trouble: 'unreachable', code: 'timeout' })),
  )
  return await Promise.race([ask({ ...asked, signal }), tooLate])
}
