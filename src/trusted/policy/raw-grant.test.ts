import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from './parse.ts'
import { grantsRawByName } from './raw-grant.ts'

const granted = (condition: string): boolean => grantsRawByName(parse(condition))

test('a condition that asks for an opaque payload, or for an activity that signs raw bytes, grants it by name', () => {
  for (const condition of [
    'payload.opaque',
    'payload.opaque == true',
    "wallet.id == 'W' && (payload.opaque || payload.opaque == false)",
    "activity.kind == 'SIGN_RAW_PAYLOAD'",
    "'SIGN_RAW_PAYLOADS' == activity.kind",
    "activity.kind in ['SIGN_TRANSACTION', 'SIGN_RAW_PAYLOADS']",
    "['SIGN_RAW_PAYLOAD'].contains(activity.kind)",
    "activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD'",
    "activity.type in ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS']",
    "['a'].any(x, activity.kind == 'SIGN_RAW_PAYLOAD')",
    '[true].any(x, x == payload.opaque) || payload.opaque',
  ])
    assert.equal(granted(condition), true, condition)
})

test('a condition that allows raw signing without naming it does not grant it', () => {
  assert.equal(grantsRawByName(undefined), false)
  for (const condition of [
    'true',
    "activity.action == 'SIGN'",
    "activity.resource == 'PRIVATE_KEY' && wallet.id == 'SIGN_RAW_PAYLOAD'",
    "activity.kind == 'SIGN_TRANSACTION'",
    "activity.kind in ['SIGN_TRANSACTION']",
    "activity.params.encoding == 'PAYLOAD_ENCODING_HEXADECIMAL'",
    "activity.kind == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD'",
    "activity.type == 'SIGN_RAW_PAYLOAD'",
    "activity.kind == 'SIGN_RAW_PAYLOAD_V2'",
  ])
    assert.equal(granted(condition), false, condition)
})

test('what is denied, or only compared, grants nothing', () => {
  for (const condition of [
    "activity.kind != 'SIGN_RAW_PAYLOAD'",
    "!(activity.kind == 'SIGN_RAW_PAYLOAD')",
    "!(activity.kind in ['SIGN_RAW_PAYLOAD'])",
    "!!(activity.kind == 'SIGN_RAW_PAYLOAD')",
    "(activity.kind == 'SIGN_RAW_PAYLOAD') == false",
    "(activity.kind == 'SIGN_RAW_PAYLOAD') != true",
    '!payload.opaque',
    'payload.opaque == false',
    'payload.opaque != true',
    'payload.opaque == payload.opaque',
    "wallets.filter(w, activity.kind == 'SIGN_RAW_PAYLOAD').count() == 0",
  ])
    assert.equal(granted(condition), false, condition)
})

test('a variable that is called like a keyword is not the keyword', () => {
  assert.equal(granted("wallets.any(activity, activity.kind == 'SIGN_RAW_PAYLOAD')"), false)
  assert.equal(granted('wallets.all(payload, payload.opaque)'), false)
})
