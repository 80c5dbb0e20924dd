/**
 * The answer of what is asked, or a TimeoutError when it did not come in time, whatever the client does about its
 * signal.
 */
export async function inTime<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController()
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    tooLate.reject(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }))
    limit.abort()
  }, ms)
  try {
    return await Promise.race([ask(limit.signal), tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
