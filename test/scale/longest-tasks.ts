import type { Page } from 'playwright-core'

/** What Chromium tells of one slice of time: how long it took, and how long the thread ran in it, in microseconds. */
type TraceEvent = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const SHOWN = 4

/** How long a task took, and how long it ran: beside others it also waits. In milliseconds. */
type Task = { readonly tookMs: number; readonly ranMs: number }

/** Traces the main thread of a page from now on. `ended` tells its longest tasks, the longest first. */
export async function longestTasks(page: Page): Promise<{ readonly ended: () => Promise<readonly Task[]> }> {
  const devtools = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  // The categories below give events of this shape.
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] },
  })
  return {
    ended: async () => {
      const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
      await devtools.send('Tracing.end')
      await complete
      await devtools.detach()
      const main = new Set(
        events
          .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
          .map(({ pid, tid }) => `${pid} ${tid}`),
      )
      return events
        .filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`))
        .map(({ dur = 0, tdur = 0 }) => ({ tookMs: dur / 1_000, ranMs: tdur / 1_000 }))
        .toSorted((one, other) => other.tookMs - one.tookMs)
        .slice(0, SHOWN)
    },
  }
}
