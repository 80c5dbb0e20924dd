import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPassword, postgresAddresses } from './address.ts'

test('each server of an address gets one of its own, with the credentials, the database and the parameters', () => {
  assert.deepEqual(
    postgresAddresses(
      'postgres://u:p%40@a:1,b,[::1]:3/db?target_session_attrs=read-write&application_name=me&sslmode=require',
    ),
    [
      'postgres://u:p%40@a:1/db?sslmode=require',
      'postgres://u:p%40@b/db?sslmode=require',
      'postgres://u:p%40@[::1]:3/db?sslmode=require',
    ],
  )
  assert.deepEqual(postgresAddresses('postgresql://a/db'), ['postgres://a/db'])
  assert.deepEqual(postgresAddresses('postgres:///db?host=/run/postgresql'), [
    'postgres:///db?host=%2Frun%2Fpostgresql',
  ])
})

test('an address of another form, or for servers that take no writes, is none', () => {
  const wrong = [
    '',
    'a,b/db',
    'mysql://a/db',
    'postgres://a:x/db',
    'postgres://a,b c/db',
    'postgres://a/db?target_session_attrs=standby',
    'postgres://a/db?target_session_attrs=',
  ]
  for (const url of wrong) assert.equal(postgresAddresses(url), undefined, url)
})

test('a password is seen in front of the servers and among the parameters', () => {
  const secret = [
    'postgres://u:p@a/db',
    'postgres://u:p@a:1,b:2/db',
    'postgres://u@a/db?sslmode=require&password=p',
  ]
  for (const url of secret) assert.equal(hasPassword(url), true, url)
  for (const url of ['postgres://u@a:1,b:2/db', 'postgres://u:@a/db', 'postgres://a/db?password='])
    assert.equal(hasPassword(url), false, url)
})
