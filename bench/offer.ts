import { type Connection, openConnection } from './connection.ts'

export type Offer = {
  readonly port: number
  readonly connections: number
  /** Tasks to send as fast as answers come, or, with `perSecond`, at that pace whatever the answers. */
  readonly count: number
  readonly perSecond?: number
  /** What a task sends first, and after each answer; undefined when it is done. */
  readonly next: (task: number, answer?: string) => Buffer | undefined
}

export type LoadReport = {
  readonly seconds: number
  readonly succeeded: number
  readonly failed: number
  readonly firstFailure: string
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends the tasks, each over one connection from its first request to its last answer. */
export async function offered({ port, connections, count, perSecond, next }: Offer): Promise<LoadReport> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const latencies = new Float64Array(count)
  const idle = [...open]
  const due: number[] = []
  let [started, ended, succeeded, firstFailure] = [0, 0, 0, '']
  const start = performance.now()
  await new Promise<void>((resolve) => {
    const free = (connection: Connection): void => {
      const from = due.shift()
      if (from !== undefined) run(connection, from)
      else if (perSecond === undefined && started < count) run(connection, performance.now())
      else idle.push(connection)
    }
    const run = (connection: Connection, from: number): void => {
      const task = started++
      const end = (failure: string): void => {
        latencies[ended++] = performance.now() - from
        if (failure === '') succeeded++
        else firstFailure ||= failure
        if (ended === count) resolve()
        else free(connection)
      }
      const step = (answer?: string): void => {
        const request = next(task, answer)
        if (request === undefined) return end('')
        connection.ask(request, (status, text) => (status === 200 ? step(text) : end(text)))
      }
      step()
    }
    if (perSecond === undefined) {
      for (const connection of idle.splice(0, Math.min(connections, count)))
        run(connection, performance.now())
      return
    }
    let dueSoFar = 0
    const pace = (): void => {
      // What was due is sent with the time at which it was due, so that waiting counts as latency.
      while (dueSoFar < count && dueSoFar < ((performance.now() - start) * perSecond) / 1000) {
        const from = start + (dueSoFar++ * 1000) / perSecond
        // Each in its turn: the service closes a connection that sends nothing for 20 seconds.
        const connection = idle.shift()
        if (connection === undefined) due.push(from)
        else run(connection, from)
      }
      if (dueSoFar < count) setTimeout(pace, 1)
    }
    pace()
  })
  const seconds = (performance.now() - start) / 1000
  for (const connection of open) connection.close()
  const sorted = latencies.toSorted()
  return {
    seconds,
    succeeded,
    failed: count - succeeded,
    firstFailure,
    p50Ms: sorted[Math.floor(count * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(count * 0.99)] ?? 0,
  }
}
