import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Sent, sentBy, START } from './harness.ts'
import { type Person, populate } from './populated.ts'

const skip = postgresAvailable() ? false : postgresMissing

// Each of these rows has a true seal, so the vault alone cannot tell that something else was asked for.
test('a database to which two organizations are one shows neither of them a row of the other', {
  skip,
}, async (t) => {
  const url = await freshDatabase()
  const first = await openPostgres({ url })
  const { root, other, keyId, otherKeyId, signedId } = await populate(
    await openServiceOn(first, testWorld(1, START)),
    first,
  )
  await first.close()
  await takeForOne(url, root.organizationId, other.organizationId)

  const store = await openPostgres({ url })
  t.after(store.close)
  const service = await openServiceOn(store, testWorld(1, START + 60_000))
  const query = (by: Person, operation: string, body: object = {}): Sent =>
    sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId, ...body })
  const foreign: readonly (readonly [sent: Sent, id: string])[] = [
    [query(root, 'list_private_keys'), otherKeyId],
    [query(root, 'get_private_key', { privateKeyId: otherKeyId }), otherKeyId],
    [query(root, 'list_activities'), other.organizationId],
    [query(root, 'list_users'), other.userId],
    [query(other, 'list_private_keys'), keyId],
    [query(other, 'get_private_key', { privateKeyId: keyId }), keyId],
    [query(other, 'list_activities'), root.organizationId],
    [query(other, 'get_activity', { activityId: signedId }), root.organizationId],
    [query(other, 'list_users'), root.userId],
  ]
  for (const [sent, id] of foreign) {
    const { status, text } = await service.send(sent)
    assert.ok(status >= 400 || !text.includes(id), `${sent.route}: ${text}`)
  }
})

/** Every later session compares texts by an operator of the database's own. */
async function takeForOne(url: string, one: string, other: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      CREATE SCHEMA liar;
      CREATE FUNCTION liar.same(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT $1 OPERATOR(pg_catalog.=) $2
          OR ($1 OPERATOR(pg_catalog.=) '${one}' AND $2 OPERATOR(pg_catalog.=) '${other}')
          OR ($1 OPERATOR(pg_catalog.=) '${other}' AND $2 OPERATOR(pg_catalog.=) '${one}')
      $$;
      CREATE OPERATOR liar.= (FUNCTION = liar.same, LEFTARG = text, RIGHTARG = text);
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, liar, pg_catalog', current_database());
      END $$;
    `)
  } finally {
    await client.end()
  }
}
