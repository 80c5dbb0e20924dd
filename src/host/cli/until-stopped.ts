import { exitNow } from '../app/exit-now.ts'

/**
 * Resolves at the first SIGTERM or SIGINT, or after the exit of the launcher that started this process with a channel
 * to it; a later signal ends the process at once.
 *
 * A command calls this before it starts anything: a program that reads "listening" may send its signal in the next
 * moment.
 *
 * @param endsWithinMs  the process has ended after this time, whatever hangs, also a start that is still under way
 */
export function untilStopped(endsWithinMs?: number): Promise<void> {
  return new Promise((resolve) => {
    let isStopped = false
    const stop = (): void => {
      if (isStopped) return
      isStopped = true
      resolve()
      if (endsWithinMs !== undefined) setTimeout(breakOff, endsWithinMs).unref()
    }
    process.once('disconnect', stop)
    // The launcher may have ended while Node was starting.
    if (process.connected === false) stop()
    let firstAt: number | undefined
    const onSignal = (): void => {
      const now = performance.now()
      firstAt ??= now
      // A Ctrl-C arrives twice: from the terminal, and from the launcher or npm, which pass it on.
      if (now - firstAt > SAME_PRESS_MS) exitNow(130)
      stop()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  })
}

const SAME_PRESS_MS = 500

function breakOff(): never {
  process.stderr.write('claviger: the shutdown takes too long: the process ends without the rest of it\n')
  exitNow(1)
}
