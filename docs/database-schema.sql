-- Derived by `npm run derive`. The migrations of both engines, in order.

-- embedded store (SQLite)

CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER NOT NULL PRIMARY KEY,
  checksum TEXT NOT NULL
) STRICT;

-- step 1: tables (0.1.0, contract)
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

-- step 2: errands (0.1.0, contract)
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

-- step 3: listing (0.1.0, contract)
DROP INDEX activities_by_status;
DROP INDEX activities_by_type;
CREATE INDEX activities_listed ON activities (type, organization_id, status, activity_id);

-- step 4: searches (0.1.0, contract)
CREATE INDEX errands_dead_apart ON errands (lane, sequence) WHERE dead = 1;
INSERT OR IGNORE INTO directory (scope, kind, value, target)
SELECT scope, 'FOLDED_NAME', lower(value), target FROM directory WHERE kind = 'NAME';

-- step 5: record texts (0.1.0, contract)
CREATE TABLE record_texts (
  organization_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (organization_id, digest)
) STRICT;

-- step 6: oldest readers (0.1.0, contract)
ALTER TABLE migrations ADD COLUMN oldest_reader INTEGER;

-- step 7: tenants (0.1.0, contract)
ALTER TABLE lanes ADD COLUMN tenant TEXT NOT NULL DEFAULT '-';
CREATE INDEX lanes_of_tenant ON lanes (tenant, due_at, lane);


-- PostgreSQL

CREATE TABLE IF NOT EXISTS migrations (
  number bigint NOT NULL PRIMARY KEY,
  checksum text NOT NULL
);

-- step 1: tables (0.1.0, contract)
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
CREATE INDEX activities_by_status ON activities (organization_id, status, activity_id) WHERE status <> 'ACTIVITY_STATUS_COMPLETED';
CREATE INDEX activities_by_type ON activities (organization_id, type, activity_id) WHERE substr(type, 1, 19) <> 'ACTIVITY_TYPE_SIGN_';

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

-- step 2: errands (0.1.0, contract)
ALTER TABLE objects ADD COLUMN expires_at bigint;
CREATE INDEX objects_expiring ON objects (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE errands (
  sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  attempts bigint NOT NULL DEFAULT 0,
  failure text COLLATE "C",
  dead bigint NOT NULL DEFAULT 0,
  lane text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  errand_id text COLLATE "C",
  seal text COLLATE "C",
  scope text COLLATE "C",
  target text COLLATE "C",
  activity_id text COLLATE "C",
  revision bigint
);
CREATE INDEX errands_waiting ON errands (lane, sequence) WHERE dead = 0;
CREATE INDEX errands_dead ON errands (sequence) WHERE dead = 1;
CREATE INDEX errands_counted ON errands (kind, dead, created_at);

CREATE TABLE lanes (
  lane text COLLATE "C" NOT NULL PRIMARY KEY,
  due_at bigint NOT NULL,
  taken_at bigint
);
CREATE INDEX lanes_due ON lanes (due_at, lane);

-- step 3: listing (0.1.0, contract)
DROP INDEX activities_by_status;
DROP INDEX activities_by_type;
CREATE INDEX activities_listed ON activities (type, organization_id, status, activity_id);

-- step 4: searches (0.1.0, contract)
CREATE INDEX errands_dead_apart ON errands (lane, sequence) WHERE dead = 1;
INSERT INTO directory (scope, kind, value, target)
SELECT scope, 'FOLDED_NAME', lower(value), target FROM directory WHERE kind = 'NAME'
ON CONFLICT DO NOTHING;

-- step 5: record texts (0.1.0, contract)
CREATE TABLE record_texts (
  organization_id text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, digest)
);

-- step 6: oldest readers (0.1.0, contract)
ALTER TABLE migrations ADD COLUMN oldest_reader bigint;

-- step 7: tenants (0.1.0, contract)
ALTER TABLE lanes ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '-';
CREATE INDEX lanes_of_tenant ON lanes (tenant, due_at, lane);
