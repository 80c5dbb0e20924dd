import { readFileSync } from 'node:fs'
import {
  type ActivityRow,
  type CharterRow,
  type DirectoryEntry,
  emptyUnit,
  type JobRow,
  type ObjectRow,
  type Unit,
} from '../../../trusted/catalogue/unit.ts'
import type { Store } from '../store.ts'

/** Parts of units for tests; each names only the values of its test. */
export function aUnit(parts: Partial<Unit> = {}): Unit {
  return { ...emptyUnit, ...parts }
}

export function aCharter(
  organizationId: string,
  version: number,
  body = `{"version":${version}}`,
): CharterRow {
  return { organizationId, version, body, seal: `seal of ${version}` }
}

/** A unit that amends a charter, from the version before it; version 1 founds it. */
export function anAmendment(charter: CharterRow, parts: Partial<Unit> = {}): Unit {
  const { organizationId, version } = charter
  return aUnit({ guards: [{ organizationId, version: version - 1 }], charters: [charter], ...parts })
}

export function anActivity(parts: Partial<ActivityRow> = {}): ActivityRow {
  return {
    organizationId: 'org',
    activityId: anId(1),
    fingerprint: `sha256:${'0'.repeat(64)}`,
    timestampMs: 1_763_700_000_000,
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    status: 'ACTIVITY_STATUS_COMPLETED',
    awaited: 0,
    revision: 0,
    createdAt: 1_763_700_000_001,
    updatedAt: 1_763_700_000_001,
    intent: '{"signRawPayloadIntentV2":{}}',
    result: '{"signRawPayloadResult":{}}',
    failure: null,
    votes: '[]',
    evaluations: '[]',
    voters: '[]',
    seal: 'seal',
    ...parts,
  }
}

/** The unit of a new activity, guarded as told. */
export function aRecord(
  row: ActivityRow,
  guards: Unit['guards'] = [],
  audience: readonly string[] = [],
): Unit {
  return aUnit({ guards, activity: { row, replaces: null, audience } })
}

/** The n-th request: its own activity id, its own fingerprint. */
export function aRequest(n: number, parts: Partial<ActivityRow> = {}): ActivityRow {
  return anActivity({
    activityId: anId(n),
    fingerprint: `sha256:${n.toString(16).padStart(64, '0')}`,
    timestampMs: 1_763_700_000_000 + n,
    ...parts,
  })
}

/** A signature as the service records it: about 2.5 kB in all. */
export function aSignature(n: number, organizationId = 'org'): ActivityRow {
  const text = (length: number) => JSON.stringify({ kind: 'PAYLOAD', text: 'ab01'.repeat(length / 4) })
  return aRequest(n, {
    organizationId,
    intent: text(400),
    result: text(500),
    votes: text(1_000),
    evaluations: text(200),
  })
}

/** The n-th of records that the vault wrote and that share their texts: stores keep these apart from the second on. */
export function aJudgedRecord(n: number): ActivityRow {
  const text = readFileSync(new URL('record-form-1.json', import.meta.url), 'utf8')
  const { sealed } = JSON.parse(text) as { readonly sealed: ActivityRow }
  const { activityId, fingerprint } = aRequest(n)
  const own = JSON.stringify(sealed)
    .replaceAll(sealed.activityId, activityId)
    .replaceAll(sealed.fingerprint, fingerprint)
  return JSON.parse(own) as ActivityRow
}

export function anId(n: number): string {
  return `019aa1b0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

export function anObject(objectId: string, parts: Partial<ObjectRow> = {}): ObjectRow {
  return {
    organizationId: 'org',
    kind: 'privateKey',
    objectId,
    body: '{}',
    seal: 'seal',
    expiresAt: null,
    ...parts,
  }
}

export function anEntry(value: string, target: string, parts: Partial<DirectoryEntry> = {}): DirectoryEntry {
  return { scope: 'org', kind: 'name', value, target, ...parts }
}

/** Who holds a name. */
export async function holderOf(
  store: Pick<Store, 'claimed'>,
  scope: string,
  kind: string,
  value: string,
): Promise<string | undefined> {
  const [claim] = await store.claimed([{ scope, kind, value }])
  return claim?.target
}

export function aJob(jobId: string, parts: Partial<JobRow> = {}): JobRow {
  return { organizationId: 'org', jobId, kind: 'email', seal: 'sealed', createdAt: 1_000, ...parts }
}
