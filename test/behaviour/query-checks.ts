import assert from 'node:assert/strict'
import { isObject } from '../../src/trusted/base/plain.ts'
import type { Query } from '../../src/trusted/catalogue/query.ts'
import type { JsonAnswer, Member, Response, TestService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'
import { inventedText, namesIn, renamed } from './names.ts'
import { preparedQuery } from './query-fixtures.ts'
import { anotherUser, aSubOrganization } from './things.ts'

/** A query about something of one organization, and the same query about something of another. */
export type QueryGround = {
  readonly service: TestService
  readonly query: Query
  readonly own: Asker
  readonly other: Asker
}

type Asker = { readonly by: Member; readonly parameters: JsonAnswer }

/** In two new organizations. */
export async function queryGround(service: TestService, query: Query): Promise<QueryGround> {
  service.world.advance(2 * DAY_MS)
  const asker = async (): Promise<Asker> => {
    const by = await service.newOrganization()
    return { by, parameters: await preparedQuery({ service: service.of(by), by }, query) }
  }
  return { service, query, own: await asker(), other: await asker() }
}

const DAY_MS = 24 * 60 * 60 * 1000

export async function refusesStrangers({ service, query, own, other }: QueryGround): Promise<void> {
  const { organizationId } = own.by
  const body = JSON.stringify({ organizationId, ...own.parameters })
  const nobody = { ...other.by, key: service.newKey() }
  const stamps = [{}, stampOf(other.by, body), stampOf(nobody, body), stampOf(own.by, `${body} `)]
  // With the id of its parent, a sub-organization may be meant.
  if (query.findsSubOrganization !== true) {
    const child = await aSubOrganization(service.of(own.by))
    stamps.push(stampOf(child, body))
  }
  for (const stamp of stamps) {
    const { status, json, text } = await service.post(`/public/v1/query/${query.operation}`, body, stamp)
    assert.equal(status, 401, text)
    assert.equal(json.code, 16)
    assert.deepEqual(
      namesIn(json).filter((name) => name !== organizationId && !namesIn(own.parameters).includes(name)),
      [],
    )
  }
}

export async function keepsToItsOrganization(ground: QueryGround): Promise<void> {
  const { own, other } = ground
  const ours = await asked(ground, own.by, own.parameters)
  const theirs = await asked(ground, other.by, other.parameters)
  assert.equal(ours.status, 200, ours.text)
  assert.equal(theirs.status, 200, theirs.text)
  // A contract belongs to no organization, also where one has uploaded its interface.
  const told = namesIn(theirs.json).filter((name) => !name.startsWith('0x'))
  assert.ok(told.length > 0 || isAlwaysEmpty(ground.query), 'the other organization has something to tell of')
  assert.deepEqual(
    namesIn(ours.json).filter((name) => told.includes(name)),
    [],
    'the answer names nothing of another organization',
  )
  const names = namesIn(other.parameters)
  if (names.length === 0) return
  const stolen = await asked(ground, own.by, other.parameters)
  const invented = await asked(ground, own.by, renamed(other.parameters))
  assert.deepEqual(
    [stolen.status, inventedText(stolen.text, other.parameters)],
    [invented.status, invented.text],
    'what another organization has is found no more than what nobody has',
  )
}

/** With the token of a session that reads as its user does, and by a user without any rights. */
export async function isReadByEveryUser(ground: QueryGround): Promise<void> {
  const { service, query, own } = ground
  const there = service.of(own.by)
  const { session } = await there.done(own.by, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  const body = JSON.stringify({ organizationId: own.by.organizationId, ...own.parameters })
  const path = `/public/v1/query/${query.operation}`
  const bySession = await service.post(path, body, { 'x-session': session })
  assert.equal(bySession.status, 200, bySession.text)
  const other = await asked(
    ground,
    await anotherUser({ service: there, by: own.by }, 'Without rights'),
    own.parameters,
  )
  assert.equal(other.status, 200, other.text)
}

export async function refusesUnknownFields(ground: QueryGround): Promise<void> {
  const { own, query } = ground
  const unknown = await asked(ground, own.by, { ...own.parameters, surprise: 1 })
  assert.equal(unknown.status, 400, unknown.text)
  assert.equal(unknown.json.message, 'invalid request body: field `surprise` is not a field of this request')
  for (const name of Object.keys(own.parameters)) {
    const { [name]: _, ...rest } = own.parameters
    const { status, json, text } = await asked(ground, own.by, rest)
    const required = query.request.schema['required']
    if (!Array.isArray(required) || !required.includes(name)) continue
    assert.equal(status, 400, text)
    assert.equal(json.message, `invalid request body: missing field \`${name}\``)
  }
}

export async function answersAsDeclared(ground: QueryGround): Promise<void> {
  const { own, query } = ground
  const { status, json, text } = await asked(ground, own.by, own.parameters)
  assert.equal(status, 200, `${text}\n${howToMakeMore(query)}`)
  assert.deepEqual(query.response.read(json, '', 'strict'), json)
  const lists = Object.values(json).filter((value) => Array.isArray(value))
  assert.ok(
    lists.length === 0 || lists.some(({ length }) => length > 0) || isAlwaysEmpty(query),
    `the answer has nothing in it\n${howToMakeMore(query)}`,
  )
}

function howToMakeMore({ operation }: Query): string {
  return `the fixture of ${operation} is made by testing/${operation.replaceAll('_', '-')}.fixture.ts beside it, or follows from its ids`
}

/** Its one list may have no entries. */
function isAlwaysEmpty({ response }: Query): boolean {
  const { properties } = response.schema
  return (
    isObject(properties) &&
    Object.values(properties).every((part) => isObject(part) && part['maxItems'] === 0)
  )
}

async function asked({ service, query }: QueryGround, by: Member, parameters: JsonAnswer): Promise<Response> {
  return await service.query(by, query.operation, parameters)
}

function stampOf({ key }: Member, body: string): Record<string, string> {
  const { stampHeaderName, stampHeaderValue } = stampWith(key, Buffer.from(body))
  return { [stampHeaderName]: stampHeaderValue }
}
