import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { openPostgres } from '../../store/postgres/postgres.ts'
import { aWatchedService, watch } from './testing/watched-service.ts'

// Two hosts, each with a vault and connections of its own. Nothing but the database is shared between them.

const skip = postgresAvailable() ? false : postgresMissing

async function twoHosts(t: TestContext) {
  const url = await freshDatabase()
  const opened = async (seed: number) => {
    const store = await openPostgres({ url })
    const host = await aWatchedService(t, { store, seed })
    t.after(() => store.close())
    return host
  }
  return { first: await opened(1), second: await opened(2) }
}

const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

async function tagged(service: TestService, userTagName: string): Promise<void> {
  await service.done(service.root, TAG, { userTagName, userIds: [] })
}

test('a change made at one host is told at the other, once, whichever way', { skip }, async (t) => {
  const { first, second } = await twoHosts(t)
  const { root } = first.service
  const here = await watch(first.service, root)
  const there = await watch(second.service, root)
  for (const { stream } of [here, there]) assert.equal((await stream.next())?.event, 'ready')
  const elsewhere = { ...second.service.of(root), root }
  for (const name of ['One', 'Two', 'Three']) {
    second.service.world.advance(10)
    await tagged(name === 'Two' ? elsewhere : first.service, name)
    await Promise.all([first.looked(), second.looked()])
    for (const { stream } of [here, there]) {
      const told = await stream.next()
      assert.deepEqual([told?.event, told?.data.names], ['activity', [name]])
    }
  }
  for (const { stream } of [here, there]) await stream.close()
})

test('a stream that broke goes on at its host with all that the other has done meanwhile, each once', {
  skip,
}, async (t) => {
  const { first, second } = await twoHosts(t)
  const { root } = first.service
  const broken = await watch(second.service, root)
  await broken.stream.next()
  await tagged(first.service, 'One')
  await second.looked()
  const { id: after } = (await broken.stream.next()) ?? {}
  await broken.stream.close()
  for (const name of ['Two', 'Three']) {
    await tagged(first.service, name)
    await second.looked()
  }
  const again = await watch(second.service, root, { after })
  await again.stream.next()
  await tagged(first.service, 'Four')
  await second.looked()
  const names = []
  while (names.length < 3) names.push(...((await again.stream.next())?.data.names ?? ['nothing']))
  assert.deepEqual(names, ['Two', 'Three', 'Four'])
  await again.stream.close()
})

test('a stream goes on at the other host when its own has died, and is told to read anew', {
  skip,
}, async (t) => {
  const { first, second } = await twoHosts(t)
  const { root } = first.service
  const dying = await watch(second.service, root)
  await dying.stream.next()
  await tagged(first.service, 'One')
  await second.looked()
  const { id: after } = (await dying.stream.next()) ?? {}
  await second.service.close()
  await tagged(first.service, 'While nobody listened')

  const { stream } = await watch(first.service, root, { after })
  assert.equal((await stream.next())?.event, 'ready')
  assert.equal((await stream.next())?.event, 'reset')
  const { json } = await first.service.query(root, 'list_activity_summaries', {})
  assert.deepEqual(json.activities[0].names, ['While nobody listened'])
  await tagged(first.service, 'Two')
  await first.looked()
  assert.deepEqual((await stream.next())?.data.names, ['Two'])
  await stream.close()
})

test('what is committed at the other host behind newer activities is told all the same', {
  skip,
}, async (t) => {
  const { first, second } = await twoHosts(t)
  const { root } = first.service
  const { stream } = await watch(second.service, root)
  await stream.next()
  // The first host's clock is behind: its activities have ids that are older than those the stream has told.
  first.service.world.advance(10_000)
  second.service.world.advance(12_000)
  const elsewhere = { ...second.service.of(root), root }
  for (let n = 0; n < 99; n++) await tagged(elsewhere, `Newer ${n}`)
  await second.looked()
  for (let n = 0; n < 99; n++) await stream.next()
  await elsewhere.done(root, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  await elsewhere.done(root, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  await tagged(first.service, 'Late')
  await second.looked()
  const told = [await stream.next(), await stream.next(), await stream.next()]
  assert.ok(told.some((event) => event?.data.names.includes('Late')))
  await stream.close()
})
