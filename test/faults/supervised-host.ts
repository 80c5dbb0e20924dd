import { type ServiceProcess, startProcess } from '../crash/service-process.ts'

/** A host of the service under a supervisor, which starts it again whenever it has ended. */
export type SupervisedHost = {
  readonly name: string
  /** As long as it runs; undefined while it is being started. */
  readonly process: () => ServiceProcess | undefined
  /** Of which both are asked, also for one that has ended since. */
  readonly url: () => string | undefined
  readonly stop: () => Promise<void>
}

const AGAIN_AFTER_MS = 300

export function superviseHost(
  name: string,
  environment: { readonly dataFolder: string; readonly databaseUrl: string },
): SupervisedHost {
  let running: ServiceProcess | undefined
  let isStopped = false
  const supervise = async (): Promise<void> => {
    while (!isStopped) {
      try {
        running = await startProcess({ kind: 'command', command: 'serve' }, environment)
      } catch (error) {
        // The database may be away.
        if (process.env['FAULTS_TOLD'] !== undefined) console.error(name, error)
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))
        continue
      }
      if (isStopped) process.kill(running.pid, 'SIGTERM')
      await running.ended
      running = undefined
    }
  }
  const ended = supervise()
  return {
    name,
    process: () => (running?.isRunning() === true ? running : undefined),
    url: () => running?.url,
    stop: async () => {
      isStopped = true
      if (running?.isRunning() === true) process.kill(running.pid, 'SIGTERM')
      await ended
    },
  }
}
