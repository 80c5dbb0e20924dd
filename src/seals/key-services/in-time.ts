import type { Asked, Trouble } from './key-service.ts'

/** Below the time after which the process of a seal is ended, so that the message is ours. */
const MS_MAX = 30_000

/**
 * What a key service answers, or that it did not in time. Clients try again by themselves, and look for credentials in many places: all
 * of that has one end.
 *
 * @param signal  tells the client, too, that nobody waits any more
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
