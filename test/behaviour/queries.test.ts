import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defineQuery, type Reader } from '../../src/trusted/catalogue/query.ts'
import { list, object, organizationIdText, type Shape, uuid } from '../../src/trusted/catalogue/shape.ts'
import { wallets } from '../../src/trusted/objects/wallet.ts'
import { queries } from '../../src/host/queries/list.ts'
import { aService } from '../support/service.ts'
import { outside } from './identities.ts'
import {
  answersAsDeclared,
  isReadByEveryUser,
  keepsToItsOrganization,
  type QueryGround,
  queryGround,
  refusesStrangers,
  refusesUnknownFields,
} from './query-checks.ts'

const planted = plantedQueries()
const service = await aService({ outside, queries: [...queries, ...Object.values(planted)] })
after(() => service.close())

for (const query of queries) {
  const { operation, request, example } = query
  let made: Promise<QueryGround> | undefined
  // Queries leave nothing behind, so that one ground does for all of these.
  const ground = (): Promise<QueryGround> => (made ??= queryGround(service, query))

  test(`${operation}: its example reads as its request`, () => {
    const { organizationId } = service
    assert.deepEqual(request.read({ organizationId, ...example }, '', 'strict'), {
      organizationId,
      ...example,
    })
  })

  test(`${operation}: a stranger is refused, and told nothing`, async () => {
    await refusesStrangers(await ground())
  })

  test(`${operation}: it tells of one organization alone`, async () => {
    await keepsToItsOrganization(await ground())
  })

  test(`${operation}: every user of the organization reads it, by a read-only session too`, async () => {
    await isReadByEveryUser(await ground())
  })

  test(`${operation}: an unknown field is refused by its name, and so is a missing one`, async () => {
    await refusesUnknownFields(await ground())
  })

  test(`${operation}: its answer has what it declares, and nothing else`, async () => {
    await answersAsDeclared(await ground())
  })
}

test('a query that answers with what another organization has is seen', async () => {
  const ground = await queryGround(service, planted.nosy)
  await assert.rejects(keepsToItsOrganization(ground), /names nothing of another organization/)
})

test('a query that tells what another organization has from what nobody has is seen', async () => {
  const ground = await queryGround(service, planted.telltale)
  await assert.rejects(keepsToItsOrganization(ground), /found no more than what nobody has/)
})

test('a query that takes unknown fields is seen', async () => {
  const ground = await queryGround(service, planted.credulous)
  await assert.rejects(refusesUnknownFields(ground), /200 !== 400/)
})

test('an answer without a declared field, or with another, is seen', async () => {
  const short = await queryGround(service, planted.forgetful)
  await assert.rejects(answersAsDeclared(short), /missing field `walletIds`/)
  const long = await queryGround(service, planted.talkative)
  await assert.rejects(answersAsDeclared(long), /field `more` is not a field/)
})

test('a query whose fixture has nothing to tell of is seen', async () => {
  const ground = await queryGround(service, planted.empty)
  await assert.rejects(answersAsDeclared(ground), /nothing in it\nthe fixture of planted_empty is made by/)
})

function plantedQueries() {
  const request = object({ organizationId: organizationIdText })
  const response = object({ walletIds: list(uuid, { max: 100 }) })
  const ids = async ({ objects }: Reader) => (await objects(wallets)).map(({ walletId }) => walletId)
  const rest = { summary: 'Planted', request, response, example: {} }
  const seen = new Set<string>()
  return {
    nosy: defineQuery({
      ...rest,
      operation: 'planted_nosy',
      answer: async (_, reader) => {
        for (const id of await ids(reader)) seen.add(id)
        return { walletIds: [...seen] }
      },
    }),
    telltale: defineQuery({
      ...rest,
      operation: 'planted_telltale',
      request: object({ organizationId: organizationIdText, walletId: uuid }),
      example: { walletId: '0198c5a0-7d3c-7000-8000-000000000001' },
      answer: async ({ walletId }, reader) => {
        for (const id of await ids(reader)) seen.add(id)
        return { walletIds: seen.has(walletId) ? await ids(reader) : [] }
      },
    }),
    credulous: defineQuery({
      ...rest,
      operation: 'planted_credulous',
      request: { ...request, read: (sent) => sent } as typeof request, // a shape that reads whatever is sent
      answer: async (_, reader) => ({ walletIds: await ids(reader) }),
    }),
    forgetful: defineQuery({
      ...rest,
      operation: 'planted_forgetful',
      response: response as Shape<unknown>,
      answer: () => ({}),
    }),
    talkative: defineQuery({
      ...rest,
      operation: 'planted_talkative',
      answer: async (_, reader) => ({ walletIds: await ids(reader), more: 1 }),
    }),
    empty: defineQuery({
      ...rest,
      operation: 'planted_empty',
      answer: () => ({ walletIds: [] }),
    }),
  }
}
