import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Ms } from '../../../trusted/base/world.ts'
import type { Config } from '../../app/config.ts'
import { lookAtPostgres } from '../../store/postgres/look.ts'
import type { Finding } from './finding.ts'

const DISK_BYTES_MIN = 1e9
const CLOCK_MS_MAX = 2_000
const DAY_MS = 24 * 60 * 60 * 1000
/** The time needed for the renewal of a certificate. */
const CERTIFICATE_DAYS_MIN = 14

/** Whether there is enough space: with a full disk the service cannot sign. */
export function diskFinding({ dataFolder }: Pick<Config, 'dataFolder'>): Finding {
  let folder = dataFolder
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB are free on the disk of the data folder`
  return free < DISK_BYTES_MIN
    ? { mark: '!!', text: `${text}: free space, because signing stops when the disk is full` }
    : { mark: 'ok', text }
}

/** The database's version and settings, its certificate, and the difference of its clock from this machine's. */
export async function databaseFindings(url: string, connectMs: number): Promise<readonly Finding[]> {
  const from = Date.now()
  const look = await lookAtPostgres(url, connectMs)
  const { version, now, synchronousCommit, standbys, certificateEnds } = look
  const to = Date.now()
  const apart = Math.max(0, from - now, now - to)
  return [
    {
      mark: 'ok',
      text: `PostgreSQL ${version}, synchronous_commit ${synchronousCommit}, ${standbys === '' ? 'no standby has to confirm' : `confirmed by ${standbys}`}`,
    },
    certificateFinding(certificateEnds, to),
    apart > CLOCK_MS_MAX
      ? {
          mark: '!!',
          text: `the clock of the database is ${apart} ms apart from this machine's: set both by NTP`,
        }
      : { mark: 'ok', text: 'the clock of the database is that of this machine' },
  ]
}

/** @param ends  undefined if the connection is not encrypted */
export function certificateFinding(ends: Ms | undefined, now: Ms): Finding {
  if (ends === undefined) return { mark: 'ok', text: 'the connection to the database is not encrypted' }
  const day = new Date(ends).toISOString().slice(0, 10)
  return ends - now < CERTIFICATE_DAYS_MIN * DAY_MS
    ? { mark: '!!', text: `the certificate of the database ends on ${day}: renew it` }
    : { mark: 'ok', text: `the connection to the database is encrypted, and its certificate ends on ${day}` }
}
