import { anId } from './fixtures.ts'
import { RARE_TYPE } from './history.ts'
import type { Store } from '../store.ts'

/** A read of the store over a long history, and the number of rows that it may touch for its answer. */
export type BoundedRead = {
  readonly name: string
  readonly read: (store: Store) => Promise<unknown>
  readonly rowsMax: number
}

const LIMIT = 100
const COMMON_TYPE = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const ABSENT_TYPES = Array.from({ length: 198 }, (_, n) => `ACTIVITY_TYPE_SIGN_${n}`)

/**
 * A page reads its ids and its rows, and the rows that show where each type and status begins. The history has three
 * groups of type and status, each of which may fill the page: of the n-th so many ids are read as may come behind those
 * before it.
 */
const PAGE_ROWS = 4 * LIMIT

/** Of which half are claimed. */
const NAMES = Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? `key ${n + 1}` : `none ${n}`))

/** Every read that returns more than one row, in the forms that the interface permits. */
export function boundedReads(rows: number): readonly BoundedRead[] {
  const page = { limit: LIMIT }
  const middle = { limit: LIMIT, after: anId(rows / 2) }
  const backwards = { limit: LIMIT, before: anId(rows / 2) }
  const narrow = { limit: LIMIT, after: anId(rows - 10), before: anId(rows - 20) }
  const rare = { types: [RARE_TYPE] }
  const list = (name: string, filter: Parameters<Store['activities']>[1], rowsMax = PAGE_ROWS) =>
    [page, middle, backwards, narrow].map((at) => ({
      name: `activities ${name}, ${JSON.stringify(at)}`,
      read: (store: Store) => store.activities('org', filter, at),
      rowsMax,
    }))
  const subOrganizations = { scope: 'org', kind: 'SUB_ORGANIZATION', value: '' }
  return [
    ...list('without a filter', {}),
    ...list('of a rare type', rare),
    ...list('of a type that is not there', { types: ['ACTIVITY_TYPE_SIGN_'] }),
    ...list('of many types', { types: [...ABSENT_TYPES, RARE_TYPE, COMMON_TYPE] }, PAGE_ROWS + 200 * 5),
    ...list('of a rare status', { statuses: ['ACTIVITY_STATUS_FAILED'] }),
    ...list('of a status that is not there', { statuses: ['ACTIVITY_STATUS_REJECTED'] }),
    ...list('of the usual status', { statuses: ['ACTIVITY_STATUS_COMPLETED'] }),
    ...list('of a rare type and status', { ...rare, statuses: ['ACTIVITY_STATUS_FAILED'] }),
    ...list('of the usual type and a rare status', {
      types: [COMMON_TYPE],
      statuses: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_CONSENSUS_NEEDED'],
    }),
    ...[page, middle, backwards, { limit: LIMIT, after: anId(10), before: anId(20) }].map((at) => ({
      name: `directory, ${JSON.stringify(at)}`,
      read: (store: Store) => store.find(subOrganizations, at),
      rowsMax: LIMIT,
    })),
    {
      name: 'objects of a kind',
      read: (store) => store.objectsOfKind('org', 'privateKey', middle),
      rowsMax: LIMIT,
    },
    ...[page, { limit: LIMIT, after: { value: 'customer 4', target: anId(rows / 2) } }].map((at) => ({
      name: `directory by prefix, ${JSON.stringify(at)}`,
      read: (store: Store) =>
        store.findPrefix({ scope: 'org', kind: 'FOLDED_NAME', prefix: 'customer 4' }, at),
      rowsMax: LIMIT,
    })),
    {
      name: 'newest revisions',
      read: (store) => store.newestRevisions('org', LIMIT),
      rowsMax: LIMIT,
    },
    {
      name: 'revisions of some',
      read: (store) => store.revisionsOf('org', [anId(5), anId(rows), 'none']),
      rowsMax: 3,
    },
    {
      name: 'newest objects of a kind',
      read: (store) => store.newestOfKind('org', 'privateKey', { limit: LIMIT, before: anId(rows / 2) }),
      rowsMax: LIMIT,
    },
    ...(['waiting', 'dead'] as const).map((of) => ({
      name: `jobs of one ordering key, ${of}`,
      read: (store: Store) => store.jobsOf('webhook org w1', of, { limit: LIMIT, after: 1_000 }),
      rowsMax: LIMIT,
    })),
    { name: 'due at', read: (store) => store.dueAt('webhook org w1'), rowsMax: 1 },
    {
      name: 'objects by id',
      read: (store) => store.objects('org', 'privateKey', [anId(5), anId(rows), 'none']),
      rowsMax: 3,
    },
    {
      name: 'many names',
      read: (store) =>
        store.claimed(NAMES.map((value) => ({ scope: 'org', kind: 'PRIVATE_KEY_NAME', value }))),
      rowsMax: NAMES.length,
    },
    { name: 'charters', read: (store) => store.charters(['org', 'none']), rowsMax: 2 },
    { name: 'awaited activity', read: (store) => store.awaitedActivity('org', 'none'), rowsMax: 1 },
    {
      name: 'dead letters',
      read: (store) => store.deadLetters({ limit: LIMIT, after: 1_000 }),
      rowsMax: LIMIT,
    },
    // Six groups, each counted to at most ten thousand.
    { name: 'job counts', read: (store) => store.jobCounts(), rowsMax: 6 * 10_000 },
  ]
}
