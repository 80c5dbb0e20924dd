import assert from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { after, test } from 'node:test'
import { Bug, present } from '../../src/trusted/base/assert.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { JsonAnswer } from '../support/service.ts'
import { testWorld } from '../support/service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { aCache, onFile, type Outcome, sentBy, type Service, START } from './harness.ts'
import { putPlain, recordIn } from '../support/stored-record.ts'
import { done, type Person, populate, signing, submission } from './populated.ts'

// What someone may try who can write whatever they like to the database, and can send requests, but does not have the
// root key.

const cache = aCache()
after(() => cache.clear())
const original = cache.path('original.db')
const people = await onFile(original, populate)
const intruderKey = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', testWorld(77).randomBytes)
const intruder: Person = {
  organizationId: people.root.organizationId,
  userId: '01a1fb67-0000-7000-8000-00000000000f',
  key: intruderKey,
}
const NOW = START + 60_000
const FOREIGN_ADDRESS = `0x${'ab'.repeat(20)}`

test('a charter with one more root user is a bug to report, not a charter', async () => {
  await withChanged(
    (db) =>
      rewriteCharter(db, people.root.organizationId, (charter) => {
        const [first] = charter.users
        charter.users.push({
          ...first,
          userId: intruder.userId,
          userName: 'Intruder',
          apiKeys: [{ ...first.apiKeys[0], publicKey: intruderKey.publicKey }],
        })
        charter.rootQuorum.userIds.push(intruder.userId)
      }),
    async (service) => {
      assertTampered(await service.send(signing(service.world, intruder, people.keyId, '20')))
      // Nor does it serve anyone else any more.
      assertTampered(await service.send(signing(service.world, people.root, people.keyId, '21')))
    },
  )
})

test('a charter cannot borrow the seal of another charter, of an activity or of a version of its own', async () => {
  const seals = read(
    'SELECT seal FROM charters UNION SELECT seal FROM activities UNION SELECT seal FROM objects',
  )
  for (const { seal } of seals) {
    await withChanged(
      (db) => {
        rewriteCharter(db, people.root.organizationId, (charter) => {
          charter.rootQuorum.userIds = [people.stranger.userId]
        })
        run(
          db,
          'UPDATE charters SET seal = ? WHERE organization_id = ?',
          seal ?? null,
          people.root.organizationId,
        )
      },
      async (service) =>
        assertTampered(await service.send(signing(service.world, people.stranger, people.keyId, '22'))),
    )
  }
})

test('a policy that nobody asked for does not count', async () => {
  await withChanged(
    (db) =>
      rewriteCharter(db, people.root.organizationId, (charter) => {
        const [policy] = charter.policies
        charter.policies.push({ ...policy, policyId: people.keyId, condition: 'true', consensus: 'true' })
      }),
    async (service) =>
      assertTampered(await service.send(signing(service.world, people.stranger, people.keyId, '23'))),
  )
})

test('a vote that nobody cast does not count', async () => {
  const fingerprint = people.waitingForApproval
  await withChanged(
    (db) => {
      const record = recordIn(db, 'fingerprint = ?', fingerprint)
      const votes = JSON.parse(record.votes) as JsonAnswer[]
      votes.push({ ...votes[0], userId: people.ben.userId })
      putPlain(db, { ...record, votes: JSON.stringify(votes) })
    },
    async (service) => {
      const approval = submission(service.world, people.root, 'APPROVE_ACTIVITY', { fingerprint })
      assertTampered(await service.send(approval))
    },
  )
})

test('a record cannot be put in for another one that waits, to be voted on under its fingerprint', async () => {
  const { waitingForApproval, waitingForRejection } = people
  await withChanged(
    (db) => {
      run(db, 'UPDATE activities SET fingerprint = ? WHERE fingerprint = ?', 'aside', waitingForApproval)
      run(
        db,
        'UPDATE activities SET fingerprint = ? WHERE fingerprint = ?',
        waitingForApproval,
        waitingForRejection,
      )
    },
    async (service) => {
      const vote = submission(service.world, people.ben, 'APPROVE_ACTIVITY', {
        fingerprint: waitingForApproval,
      })
      assertTampered(await service.send(vote))
    },
  )
})

test('a key row is of use to no other organization, under no other id and no other kind', async () => {
  const moves: readonly [string, string, Person, string][] = [
    ['organization_id', people.other.organizationId, people.other, people.keyId],
    ['object_id', intruder.userId, people.root, intruder.userId],
    ['organization_id', people.sub.organizationId, people.sub, people.keyId],
  ]
  for (const [column, value, by, signWith] of moves) {
    await withChanged(
      (db) => run(db, `UPDATE objects SET ${column} = ? WHERE object_id = ?`, value, people.keyId),
      async (service) => assertTampered(await service.send(signing(service.world, by, signWith, '24'))),
    )
  }
  // The secret of one row under the name of another, within one organization.
  await withChanged(
    (db) => {
      const { seal } = one(db, 'SELECT seal FROM objects WHERE object_id = ?', people.spareKeyId)
      run(db, 'UPDATE objects SET seal = ? WHERE object_id = ?', seal ?? null, people.keyId)
    },
    async (service) =>
      assertTampered(await service.send(signing(service.world, people.root, people.keyId, '25'))),
  )
})

test('a row under a version of the root key that is not held is not shown, whatever it says', async () => {
  await withChanged(
    (db) => {
      const row = one(db, 'SELECT body, seal FROM objects WHERE object_id = ?', people.keyId)
      run(
        db,
        'UPDATE objects SET body = ?, seal = ? WHERE object_id = ?',
        String(row['body']).replace(people.keyAddress, FOREIGN_ADDRESS),
        String(row['seal']).replace(/^(\d+)\.1\./, '$1.7.'),
        people.keyId,
      )
    },
    async (service) => {
      const { root, keyId: privateKeyId } = people
      for (const sent of [
        asked(root, 'get_private_key', { privateKeyId }),
        asked(root, 'list_private_keys', {}),
      ])
        assertTampered(await service.send(sent))
    },
  )
})

test('an address in the directory leads to the key that has it, or nowhere', async () => {
  await withChanged(
    (db) =>
      run(
        db,
        "UPDATE directory SET target = ? WHERE kind = 'ADDRESS' AND value = ?",
        people.spareKeyId,
        people.keyAddress,
      ),
    async (service) =>
      assertTampered(await service.send(signing(service.world, people.root, people.keyAddress, '26'))),
  )
})

test('a line in the directory makes nobody a sub-organization, and lets nobody in', async () => {
  const { root, other, sub } = people
  await withChanged(
    (db) => {
      const add = 'INSERT INTO directory (scope, kind, value, target) VALUES (?, ?, ?, ?)'
      run(db, add, root.organizationId, 'SUB_ORGANIZATION', '', other.organizationId)
      run(db, add, root.organizationId, 'NAME', 'Mine', sub.organizationId)
      run(db, add, root.organizationId, 'PUBLIC_KEY', intruderKey.publicKey, sub.organizationId)
    },
    async (service) => {
      const suborgs = async (filter: object): Promise<JsonAnswer> => {
        const outcome = await service.send(asked(root, 'list_suborgs', filter))
        return JSON.parse(outcome.text)
      }
      assert.deepEqual(await suborgs({}), { organizationIds: [sub.organizationId] })
      assert.deepEqual(await suborgs({ filterType: 'NAME', filterValue: 'Mine' }), { organizationIds: [] })
      const outcome = await service.send(asked(intruder, 'whoami', {}))
      assert.equal(outcome.status, 401)
    },
  )
})

test('a line in the directory shows nobody a sub-organization of another, nor one by a name that is not its own', async () => {
  const { root, other, sub } = people
  await withChanged(
    (db) => {
      const add = 'INSERT INTO directory (scope, kind, value, target) VALUES (?, ?, ?, ?)'
      for (const [kind, value] of [
        ['SUB_ORGANIZATION', ''],
        ['NAME', 'Sub'],
        ['FOLDED_NAME', 'sub'],
      ] as const)
        run(db, add, other.organizationId, kind, value, sub.organizationId)
      run(db, add, root.organizationId, 'FOLDED_NAME', 'mine', sub.organizationId)
    },
    async (service) => {
      const shown = async (by: Person, operation: string, body: object): Promise<boolean> => {
        const { status, text } = await service.send(asked(by, operation, body))
        assert.equal(status, 200, text)
        return text.includes(sub.organizationId)
      }
      for (const [operation, body] of [
        ['list_suborgs', {}],
        ['list_suborgs', { filterType: 'NAME', filterValue: 'Sub' }],
        ['search_suborgs', {}],
        ['search_suborgs', { prefix: 'sub' }],
      ] as const) {
        assert.equal(await shown(root, operation, body), true)
        assert.equal(await shown(other, operation, body), false)
      }
      assert.equal(await shown(root, 'search_suborgs', { prefix: 'mine' }), false)
    },
  )
})

test('a line among the claims takes a name, and gives nothing', async () => {
  await withChanged(
    (db) =>
      run(
        db,
        'INSERT INTO claims (scope, kind, value, target) VALUES (?, ?, ?, ?)',
        people.root.organizationId,
        'PRIVATE_KEY_NAME',
        'Wanted',
        people.otherKeyId,
      ),
    async (service) => {
      const key = { curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }
      const privateKeys = [{ privateKeyName: 'Wanted', ...key }]
      const sent = submission(service.world, people.root, 'CREATE_PRIVATE_KEYS_V2', { privateKeys })
      const outcome = await service.send(sent)
      assert.ok(outcome.status === 400 || outcome.status === 409, outcome.text)
    },
  )
})

test('while the vault runs, a charter cannot be put back to an older version, and the newest one is accepted again', async () => {
  const older = present(
    read('SELECT * FROM charters WHERE organization_id = ?', people.root.organizationId)[0],
    'the charter',
  )
  await onFile(
    cache.changed(original, () => {}),
    async (service, store) => {
      const { root, stranger, keyId, policyId } = people
      await done(service, root, 'DELETE_POLICY', { policyId })
      await done(service, root, 'DELETE_USERS', { userIds: [stranger.userId] })
      const newest = present(await store.charter(root.organizationId), 'the charter')
      const rolledBack = {
        ...store,
        charter: async () => ({
          organizationId: root.organizationId,
          version: Number(older['version']),
          body: String(older['body']),
          seal: String(older['seal']),
        }),
      }
      service.useStore(rolledBack)
      const outcome = await service.send(asked(stranger, 'whoami', {}))
      assert.notEqual(outcome.status, 200)
      const signed = await service.send(signing(service.world, stranger, keyId, '27'))
      assert.notEqual(signed.status, 200)
      assert.notEqual((await service.send(asked(root, 'list_users', {}))).status, 200)

      service.useStore(store)
      assert.equal((await store.charter(root.organizationId))?.seal, newest.seal)
      assert.equal((await service.send(signing(service.world, root, keyId, '28'))).status, 200)
    },
    NOW,
  )
})

// Known, and written down in docs/decisions/crash-tests.md: the vault keeps no list of what it has sealed and then
// replaced.
test('a sealed row that is put back as it once was is taken for what it was, and is still signed with by nobody but who may', async () => {
  const row = present(read('SELECT * FROM objects WHERE object_id = ?', people.keyId)[0], 'the key')
  await onFile(
    cache.changed(original, () => {}),
    async (service, store) => {
      const { root, stranger, other, keyId } = people
      await done(service, root, 'DELETE_PRIVATE_KEYS', { privateKeyIds: [keyId], deleteWithoutExport: true })
      const putBack = {
        organizationId: String(row['organization_id']),
        kind: String(row['kind']),
        objectId: String(row['object_id']),
        body: String(row['body']),
        seal: String(row['seal']),
        expiresAt: null,
      }
      assert.equal((await service.send(signing(service.world, root, keyId, '29'))).status, 404)
      service.useStore({
        ...store,
        objects: async (organizationId, kind, ids) =>
          kind === putBack.kind ? [putBack] : await store.objects(organizationId, kind, ids),
      })
      assert.equal((await service.send(signing(service.world, root, keyId, '30'))).status, 200)
      assert.equal((await service.send(signing(service.world, stranger, keyId, '31'))).status, 403)
      assert.notEqual((await service.send(signing(service.world, other, keyId, '32'))).status, 200)
    },
    NOW,
  )
})

async function withChanged(
  change: (db: DatabaseSync) => void,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const path = cache.changed(original, change)
  // Once for a service that starts on it, once for one that knows the data as it was.
  await onFile(path, use, NOW)
  await onFile(
    cache.changed(original, () => {}),
    async (service, first) => {
      assert.equal((await service.send(asked(people.root, 'list_private_keys', {}))).status, 200)
      const store = openSqlite({ path })
      service.useStore(store)
      await use(service)
      service.useStore(first)
      await store.close()
    },
    NOW,
  )
}

function asked(by: Person, operation: string, body: object) {
  return sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId, ...body })
}

function assertTampered(outcome: Outcome): void {
  assert.equal(outcome.status, 500, outcome.text)
  assert.ok(outcome.bug instanceof Bug, String(outcome.bug))
}

function rewriteCharter(
  db: DatabaseSync,
  organizationId: string,
  change: (charter: JsonAnswer) => void,
): void {
  const row = one(db, 'SELECT body, version FROM charters WHERE organization_id = ?', organizationId)
  const charter = JSON.parse(String(row['body'])) as JsonAnswer
  change(charter)
  charter.version += 1
  run(
    db,
    'UPDATE charters SET body = ?, version = ? WHERE organization_id = ?',
    JSON.stringify(charter),
    charter.version,
    organizationId,
  )
}

function run(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): void {
  assert.ok(Number(db.prepare(sql).run(...values).changes) > 0, sql)
}

function one(db: DatabaseSync, sql: string, ...values: SQLInputValue[]) {
  return present(db.prepare(sql).get(...values), sql)
}

function read(sql: string, ...values: SQLInputValue[]) {
  const db = new DatabaseSync(original, { readOnly: true })
  try {
    return db.prepare(sql).all(...values)
  } finally {
    db.close()
  }
}
