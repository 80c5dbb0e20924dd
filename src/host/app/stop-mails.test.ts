import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aComer,
  aSet,
  ATTEMPT,
  begin,
  HOUR,
  REMOVE,
  SET,
} from '../../trusted/activities/organizations/testing/recovery.ts'
import type { EmailMessage } from '../../trusted/catalogue/message.ts'
import { aService, type TestService } from '../../../test/support/service.ts'
import { prepareMessage } from '../delivery/message-delivery.ts'
import { roomForStopMails } from './stop-mails.ts'

const UPDATE_EMAIL = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL'

/** What waits to be sent is sent; answers the states of recoveries that somebody was told of. */
async function delivered(
  { store, vault, world }: TestService,
  hasRoomForStop: ReturnType<typeof roomForStopMails>,
): Promise<readonly string[]> {
  const told: string[] = []
  const mailer = {
    send: async (mail: { readonly subject: string }) => {
      told.push(mail.subject)
    },
  }
  const jobs = await store.takeJobs({ now: world.now(), leaseMs: 0, limit: 1_000 })
  for (const job of jobs) {
    assert.ok(job.kind !== 'webhook')
    const message = (await vault.openJob(job.row)) as EmailMessage
    const before = told.length
    const { attempt } = prepareMessage(
      {
        vault,
        mailer,
        senderRules: { senderDomains: [] },
        now: world.now,
        ...(hasRoomForStop === undefined ? {} : { hasRoomForStop }),
      },
      job.row,
      job.row.organizationId,
    )
    const { kind } = await attempt()
    assert.equal(kind, told.length > before ? 'delivered' : 'dropped')
    await store.finishJob(job.sequence)
    if (told.length > before) told[before] = `${message.to} ${message.organizationRecovery?.state}`
  }
  return told
}

test('an address that a root user has from the begin of a recovery to its stop is not written to without end', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, world } = service
  const { userId } = root
  const hasRoom = roomForStopMails({ contact: 3 }, world)
  const again = async (userEmail: string): Promise<readonly string[]> => {
    const set = aSet(service)
    await service.done(root, SET, set.parameters)
    await service.done(set.member, SET, begin(aComer(service).user))
    await service.done(root, UPDATE_EMAIL, { userId, userEmail })
    await service.done(root, REMOVE, { name: ATTEMPT })
    await service.done(root, UPDATE_EMAIL, { userId, userEmail: '' })
    return await delivered(service, hasRoom)
  }

  const told: string[] = []
  for (let times = 0; times < 8; times++) told.push(...(await again(`eve+${times}@example.com`)))

  assert.deepEqual(told, [
    'eve+0@example.com stopped',
    'eve+1@example.com stopped',
    'eve+2@example.com stopped',
  ])
  assert.deepEqual(await again('ada@example.com'), ['ada@example.com stopped'])
  world.advance(HOUR)
  assert.deepEqual(await again('eve@example.com'), ['eve@example.com stopped'])
})

test('that a recovery begins is told whatever was told of stops before', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  await service.done(root, UPDATE_EMAIL, { userId: root.userId, userEmail: 'ada@example.com' })
  const set = aSet(service)
  await service.done(root, SET, set.parameters)
  await service.done(set.member, SET, begin(aComer(service).user))
  assert.deepEqual(await delivered(service, () => false), ['ada@example.com begun'])
  assert.equal(roomForStopMails({ contact: Number.POSITIVE_INFINITY }, service.world), undefined)
})
