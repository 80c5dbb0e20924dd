import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../app/config.ts'
import { lookAtPostgres } from '../../store/postgres-look.ts'
import type { Finding } from './finding.ts'

const DISK_BYTES_MIN = 1e9
const CLOCK_MS_MAX = 2_000

/** Whether there is room: with a full disk nothing is signed. */
export function diskFinding({ dataFolder }: Pick<Config, 'dataFolder'>): Finding {
  let folder = dataFolder
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB are free where the data folder is`
  return free < DISK_BYTES_MIN
    ? { mark: '!!', text: `${text}: make room, before nothing can be signed` }
    : { mark: 'ok', text }
}

/** The database's version and settings, and its clock against the one of this machine. */
export async function databaseFindings(url: string, connectMs: number): Promise<readonly Finding[]> {
  const from = Date.now()
  const { version, now, synchronousCommit, standbys } = await lookAtPostgres(url, connectMs)
  const to = Date.now()
  const apart = Math.max(0, from - now, now - to)
  return [
    {
      mark: 'ok',
      text: `PostgreSQL ${version}, synchronous_commit ${synchronousCommit}, ${standbys === '' ? 'no standby has to confirm' : `confirmed by ${standbys}`}`,
    },
    apart > CLOCK_MS_MAX
      ? {
          mark: '!!',
          text: `the clock of the database is ${apart} ms apart from this machine's: set both by NTP`,
        }
      : { mark: 'ok', text: 'the clock of the database is that of this machine' },
  ]
}
