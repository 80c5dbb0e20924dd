/** Timers, handed in so that a test can turn them itself. */
export type Timers = {
  /** Runs once after so many milliseconds, unless what is returned is called before. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Those of the machine. They do not keep the process alive. */
export const realTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}
