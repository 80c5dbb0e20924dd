import { UNUSUAL_STATUS, UNUSUAL_TYPE } from './listing.ts'
import type { Migration } from './migrations.ts'

/**
 * The same tables as in the embedded store. Every text compares by its bytes (collation "C"), whatever the language of
 * the database, so that pages begin and end where they do there. An activity of up to 8 kB stays in one piece and
 * uncompressed: compressing it would cost more than writing it.
 */
const tables = `
CREATE TABLE charters (
  organization_id text COLLATE "C" NOT NULL PRIMARY KEY,
  version bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL
);

CREATE TABLE activities (
  organization_id text COLLATE "C" NOT NULL,
  activity_id text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  timestamp_ms bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  awaited bigint NOT NULL,
  revision bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  intent text COLLATE "C" NOT NULL,
  result text COLLATE "C",
  failure text COLLATE "C",
  votes text COLLATE "C" NOT NULL,
  evaluations text COLLATE "C" NOT NULL,
  voters text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, activity_id),
  CONSTRAINT activities_by_request UNIQUE (organization_id, timestamp_ms, fingerprint)
) WITH (toast_tuple_target = 8160);
CREATE INDEX activities_awaited ON activities (organization_id, fingerprint) WHERE awaited = 1;
CREATE INDEX activities_by_status ON activities (organization_id, status, activity_id) WHERE ${UNUSUAL_STATUS};
CREATE INDEX activities_by_type ON activities (organization_id, type, activity_id) WHERE ${UNUSUAL_TYPE};

CREATE TABLE objects (
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, kind, object_id)
);

CREATE TABLE claims (
  scope text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope, kind, value)
);

CREATE TABLE directory (
  scope text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope, kind, value, target)
);

CREATE TABLE notes (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);
`

export const postgresMigrations: readonly Migration[] = [{ number: 1, name: 'tables', sql: tables }]

export const migrationTable = `
CREATE TABLE IF NOT EXISTS migrations (
  number bigint NOT NULL PRIMARY KEY,
  checksum text NOT NULL
);
`
