/**
 * Resolves at the first SIGTERM or SIGINT, or after the exit of the launcher that started this process with a channel
 * to it; a later signal ends the process at once.
 *
 * A command calls this before it starts anything: a program that reads "listening" may send its signal in the next
 * moment.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve())
    // The launcher may have ended while Node was starting.
    if (process.connected === false) resolve()
    let firstAt: number | undefined
    const onSignal = (): void => {
      const now = performance.now()
      firstAt ??= now
      // A Ctrl-C arrives twice: from the terminal, and from the launcher or npm, which pass it on.
      if (now - firstAt > SAME_PRESS_MS) process.exit(130)
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  })
}

const SAME_PRESS_MS = 500
