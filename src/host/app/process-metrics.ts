import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { metric } from './metric.ts'

/** The measurements of the process and its machine. */
type Machine = {
  /** The build, with a label for each. */
  readonly build: { readonly version: string; readonly store: string; readonly secp256k1: string }
  readonly dataFolder: string
  /** The files of the embedded store; none if it is elsewhere. */
  readonly storeFiles: readonly string[]
}

type ProcessMetrics = {
  readonly text: () => string
  /** The running time of the host, the size of its data and the free space. */
  readonly room: () => {
    readonly upSeconds: number
    readonly storeBytes: number | undefined
    readonly freeBytes: number | undefined
  }
  readonly end: () => void
}

const LAG_RESOLUTION_MS = 20
const NS_PER_SECOND = 1e9

/** Read on demand: it costs requests nothing, except for a timer that measures its own delay. */
export function processMetrics({ build, dataFolder, storeFiles }: Machine): ProcessMetrics {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  const gauge = (name: string, help: string, value: number | undefined): string =>
    value === undefined ? '' : metric(name, 'gauge', help, [` ${value}`])
  return {
    end: () => lag.disable(),
    room: () => ({
      upSeconds: process.uptime(),
      storeBytes: sizeOf(storeFiles),
      freeBytes: freeBytes(dataFolder),
    }),
    text: () => {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      const labels = Object.entries({ ...build, node: process.version }).map(
        ([key, value]) => `${key}="${value}"`,
      )
      const lags = [50, 99, 100].map((percent) => {
        // Each wait includes the resolution itself.
        const late = Math.max(0, lag.percentile(percent) / NS_PER_SECOND - LAG_RESOLUTION_MS / 1_000)
        return `{quantile="${percent / 100}"} ${Number.isFinite(late) ? late : 0}`
      })
      lag.reset()
      return [
        metric('build_info', 'gauge', 'Always 1; the labels name the running version.', [
          `{${labels.join(',')}} 1`,
        ]),
        metric('process_cpu_seconds_total', 'counter', 'Processor time of the host, without the vault.', [
          ` ${(user + system) / 1e6}`,
        ]),
        gauge('process_start_time_seconds', 'Start time of the host, in seconds since 1970.', startedAt()),
        gauge('process_resident_memory_bytes', 'Memory of the host.', rss),
        gauge('process_heap_bytes', 'Memory of the host that its objects use.', heapUsed),
        gauge('process_open_fds', 'Open files and connections of the host.', openDescriptors()),
        metric('event_loop_lag_seconds', 'summary', 'Delay of the event loop since the last query.', lags),
        gauge('store_bytes', 'Size of the embedded store with its log.', sizeOf(storeFiles)),
        gauge('free_disk_bytes', 'Free space on the disk of the data folder.', freeBytes(dataFolder)),
      ].join('')
    },
  }
}

function startedAt(): number {
  return Math.round(Date.now() / 1_000 - process.uptime())
}

/** If the system has no such folder, there is no metric. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

function sizeOf(files: readonly string[]): number | undefined {
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  return files.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0)
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // With PostgreSQL there may be no such folder.
    return undefined
  }
}

/** The files of the embedded store in this folder. */
export function storeFilesIn(dataFolder: string): readonly string[] {
  return ['claviger.db', 'claviger.db-wal'].map((name) => join(dataFolder, name))
}
