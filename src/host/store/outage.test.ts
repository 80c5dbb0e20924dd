import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStoreOutage } from './outage.ts'
import { StoreError } from './store-error.ts'

test('faults of disk and database are told from bugs, by what the engines say', () => {
  const sqlite = (errcode: number) =>
    Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })
  const postgres = (code: string) => Object.assign(new Error('refused'), { severity: 'ERROR', code })
  // SQLITE_FULL, and of SQLITE_IOERR: writing, syncing; SQLITE_READONLY of a moved file.
  for (const errcode of [13, 778, 1034, 1032])
    assert.equal(isStoreOutage(sqlite(errcode)), true, String(errcode))
  // SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_CONSTRAINT_UNIQUE, SQLITE_MISUSE.
  for (const errcode of [1, 11, 2067, 21])
    assert.equal(isStoreOutage(sqlite(errcode)), false, String(errcode))
  // disk_full, too_many_connections, admin_shutdown, query_canceled, io_error, read_only_sql_transaction,
  // idle_in_transaction_session_timeout, deadlock_detected.
  for (const code of ['53100', '53300', '57P01', '57014', '58030', '25006', '25P03', '40P01'])
    assert.equal(isStoreOutage(postgres(code)), true, code)
  // unique_violation, syntax_error, undefined_table, insufficient_privilege.
  for (const code of ['23505', '42601', '42P01', '42501'])
    assert.equal(isStoreOutage(postgres(code)), false, code)
  assert.equal(isStoreOutage(new StoreError('unavailable', 'no answer')), true)
  assert.equal(isStoreOutage(new StoreError('foreign', 'a newer version')), true)
  assert.equal(isStoreOutage(new StoreError('notDurable', 'fsync is off')), true)
  assert.equal(isStoreOutage(new StoreError('altered', 'a trigger')), false)
  for (const other of [
    new Error('a bug'),
    undefined,
    'text',
    Object.assign(new Error('x'), { code: '53100' }),
  ])
    assert.equal(isStoreOutage(other), false)
})
