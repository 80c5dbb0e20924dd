import { migrationsOf } from '../migrations.ts'

/**
 * Pages of 8 KiB: a tenth faster than the usual 4 KiB with activities of 2 KB. The size can only be set before the
 * first table.
 */
export const PAGE_BYTES = 8_192

/**
 * STRICT enforces the type of every column. Texts compare by their bytes (BINARY, the default), as in PostgreSQL with
 * the collation "C". The hot indexes lead with a value that grows with time, an id of version 7 or the request's own
 * timestamp, so that they fill at one end: an index in random order would touch a page per activity and halve the rate.
 */
const tables = `
CREATE TABLE charters (
  organization_id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT;

CREATE TABLE activities (
  organization_id TEXT NOT NULL,
  activity_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  awaited INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  intent TEXT NOT NULL,
  result TEXT,
  failure TEXT,
  votes TEXT NOT NULL,
  evaluations TEXT NOT NULL,
  voters TEXT NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (organization_id, activity_id),
  UNIQUE (organization_id, timestamp_ms, fingerprint)
) STRICT;
CREATE INDEX activities_awaited ON activities (organization_id, fingerprint) WHERE awaited = 1;
CREATE INDEX activities_by_status ON activities (organization_id, status, activity_id) WHERE status <> 'ACTIVITY_STATUS_COMPLETED';
CREATE INDEX activities_by_type ON activities (organization_id, type, activity_id) WHERE substr(type, 1, 19) <> 'ACTIVITY_TYPE_SIGN_';

CREATE TABLE objects (
  organization_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_id TEXT NOT NULL,
  body TEXT NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (organization_id, kind, object_id)
) STRICT;

CREATE TABLE claims (
  scope TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (scope, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE directory (
  scope TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (scope, kind, value, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`

/**
 * An ordering key exists exactly as long as a job waits in it. It is due from `due_at` on; handing out its first job
 * moves that to the end of the lease, so that takers look only at due ordering keys, and not at the jobs behind them.
 * The numbers of jobs are never reused: a late call that finishes one must not finish another.
 */
const jobs = `
ALTER TABLE objects ADD COLUMN expires_at INTEGER;
CREATE INDEX objects_expiring ON objects (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE errands (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  attempts INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  dead INTEGER NOT NULL DEFAULT 0,
  lane TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  organization_id TEXT NOT NULL,
  errand_id TEXT,
  seal TEXT,
  scope TEXT,
  target TEXT,
  activity_id TEXT,
  revision INTEGER
) STRICT;
CREATE INDEX errands_waiting ON errands (lane, sequence) WHERE dead = 0;
CREATE INDEX errands_dead ON errands (sequence) WHERE dead = 1;
CREATE INDEX errands_counted ON errands (kind, dead, created_at);

CREATE TABLE lanes (
  lane TEXT NOT NULL PRIMARY KEY,
  due_at INTEGER NOT NULL,
  taken_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX lanes_due ON lanes (due_at, lane);
`

/**
 * The type leads, so that no lookup within an organization can use this index: PostgreSQL's planner would use it on an
 * empty table.
 *
 * Every listing reads this one index by type and status; it replaces two that left out the most frequent rows.
 */
const listing = `
DROP INDEX activities_by_status;
DROP INDEX activities_by_type;
CREATE INDEX activities_listed ON activities (type, organization_id, status, activity_id);
`

/**
 * Dead letters of one ordering key are found by an index that holds only them, so that a delivered job has no entry in
 * it. Names of sub-organizations are also found without regard to case, see `lookupsOf`.
 */
const searches = `
CREATE INDEX errands_dead_apart ON errands (lane, sequence) WHERE dead = 1;
INSERT OR IGNORE INTO directory (scope, kind, value, target)
SELECT scope, 'FOLDED_NAME', lower(value), target FROM directory WHERE kind = 'NAME';
`

/** Texts of many records of an organization, under their digests; see `record-form.ts`. */
const recordTexts = `
CREATE TABLE record_texts (
  organization_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (organization_id, digest)
) STRICT;
`

/**
 * The oldest schema whose hosts may run beside a step. Earlier steps do not have this value, and earlier hosts do not
 * read it: they stop under any unknown step.
 */
const oldestReaders = `
ALTER TABLE migrations ADD COLUMN oldest_reader INTEGER;
`

/**
 * The tenant in whose turn an ordering key is handed out. That of an ordering key from before is unknown until the key
 * has been empty once; all of these share one turn.
 */
const tenants = `
ALTER TABLE lanes ADD COLUMN tenant TEXT NOT NULL DEFAULT '-';
CREATE INDEX lanes_of_tenant ON lanes (tenant, due_at, lane);
`

export const sqliteMigrations = migrationsOf([
  tables,
  jobs,
  listing,
  searches,
  recordTexts,
  oldestReaders,
  tenants,
])

/** The table of applied steps, created before the first step. */
export const migrationTable = `
CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER NOT NULL PRIMARY KEY,
  checksum TEXT NOT NULL
) STRICT;
`
