import { type Plain } from '../../trusted/base/plain.ts'
import type { JobRow } from '../../trusted/catalogue/unit.ts'
import { plainActivity, plainCharter, plainJob, plainObject } from '../../protocol/rows.ts'
import type { VerifyRequest } from '../../protocol/vault.ts'
import { keyOfRow } from '../store/scan.ts'
import type { TableRows } from '../store/tables.ts'
import type { RowPage } from './row-source.ts'
import type { Problem } from './verify-state.ts'

/** The rows of a page that the vault verifies. What no vault would take is told here, so that it does not keep the others from it. */
export function verifyRequest(page: RowPage): {
  readonly request: VerifyRequest
  readonly problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const taken = <Row extends object>(rows: readonly Row[], plain: Plain<Row>): readonly Row[] =>
    rows.filter((row) => {
      const problem = plain.problem(row)
      if (problem === undefined) return true
      problems.push({
        what: `${page.table} ${keyOfRow(page.table, row).join(' ')}`,
        problem: `its column${problem}`,
      })
      return false
    })
  const request = {
    charters: page.table === 'charters' ? taken(page.rows, plainCharter) : [],
    activities: page.table === 'activities' ? taken(page.rows, plainActivity) : [],
    objects: page.table === 'objects' ? taken(page.rows, plainObject) : [],
    jobs: page.table === 'jobs' ? taken(page.rows.flatMap(messageOf), plainJob) : [],
  }
  return { request, problems }
}

/** A webhook has nothing of its own that is sealed. */
function messageOf({ kind, jobId, seal, organizationId, createdAt }: TableRows['jobs']): readonly JobRow[] {
  return kind === 'webhook' || jobId === null || seal === null
    ? []
    : [{ kind, jobId, seal, organizationId, createdAt }]
}
