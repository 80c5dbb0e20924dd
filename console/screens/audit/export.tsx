import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../../parts/problem.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Session } from '../../session/session.ts'
import { csv, jsonLines } from './exported.ts'
import { type AuditRecord, type Filter, recordsOf } from './records.ts'
import { savedAs } from './saved.ts'
import { say } from './words.ts'

/** More at once would hold up the page; a shorter time gives the rest. */
const RECORDS_MAX = 5_000
const PAGE = 100

/** `of`: its filter. `isCut`: whether there are more records than it has. */
type SavedFile = { readonly of: string; readonly count: number; readonly isCut: boolean }

/** The records of this filter as a file. */
export function Export({ session, filter }: { readonly session: Session; readonly filter: Filter }) {
  const { isBusy, error, run } = useAction()
  const [count, setCount] = useState(0)
  const [file, setFile] = useState<SavedFile | undefined>(undefined)
  const of = JSON.stringify(filter)
  const left = useRef(new AbortController())
  useEffect(() => () => left.current.abort(), [])
  const save = (name: string, type: string, write: (records: readonly AuditRecord[]) => string): void =>
    run(async () => {
      const { signal } = left.current
      setCount(0)
      setFile(undefined)
      const { records, isCut } = await everyRecord(session, filter, { onRead: setCount, signal })
      if (signal.aborted) return
      savedAs(name, write(records), type)
      setFile({ of, count: records.length, isCut })
    })
  return (
    <section>
      <h2>{say('export')}</h2>
      <p>{say('exportWhy')}</p>
      <div class="row">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => save('audit.jsonl', 'application/jsonl', jsonLines)}
        >
          {say('jsonLines')}
        </button>
        <button type="button" disabled={isBusy} onClick={() => save('audit.csv', 'text/csv', csv)}>
          {say('csv')}
        </button>
      </div>
      {error !== undefined && <Problem error={error} />}
      {isBusy && (
        <p class="busy" role="status">
          {say('read', { count })}
        </p>
      )}
      {file?.of === of && (
        <p role="status">
          {say('read', { count: file.count })} {file.isCut && say('cut', { max: RECORDS_MAX })}
        </p>
      )}
    </section>
  )
}

async function everyRecord(
  session: Session,
  filter: Filter,
  { onRead, signal }: { readonly onRead: (count: number) => void; readonly signal: AbortSignal },
): Promise<{ readonly records: readonly AuditRecord[]; readonly isCut: boolean }> {
  const all: AuditRecord[] = []
  for (let after = ''; ; ) {
    const page = { limit: PAGE, ...(after === '' ? {} : { after }) }
    const { records, next } = await recordsOf(session, filter, page)
    all.push(...records)
    onRead(all.length)
    // The list goes back in time, so a place that is no earlier one is none: a host could lead round in circles.
    if (next === '' || (after !== '' && next >= after)) return { records: all, isCut: false }
    // A rare user among many records takes a request for each 500 of them: nobody waits for them on another screen.
    if (all.length >= RECORDS_MAX || signal.aborted) return { records: all, isCut: true }
    after = next
  }
}
