import { after } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Unit } from '../../src/trusted/catalogue/unit.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../support/service.ts'
import { outside } from './identities.ts'
import { recordingStore } from './recording-store.ts'
import { revealing } from './revealing.ts'
import { aSubOrganization } from './things.ts'
import { watched } from './watched.ts'
import { newestOf } from './newest.ts'
import type { Prepared } from './fixture.ts'
import { prepared } from './fixtures.ts'

/** An organization of its own in which one request of one activity is ready to be made. */
export type Ground = {
  readonly service: TestService
  /** Everything that was written since the organization was founded, in order. */
  readonly commits: readonly Unit[]
  /** Kinds of failures that the activity's own functions have thrown. */
  readonly failures: ReadonlySet<string>
  /** The very bytes of the secrets that any activity was given or has made. */
  readonly secrets: Uint8Array[]
  readonly by: Member
  /** The root user of a sub-organization in which nothing has happened. */
  readonly elsewhere: Member
  /** In the newest form. */
  readonly parameters: JsonAnswer
  readonly older: NonNullable<Prepared['older']>
  readonly type: string
}

/** What is seen of the ground of now; the tests of a file come one after the other. */
type Seen = { readonly commits: Unit[]; readonly failures: Set<string>; readonly secrets: Uint8Array[] }

/** One service for all tests of a file, each of which gets a new organization. */
export async function openGrounds(): Promise<(activity: Activity) => Promise<Ground>> {
  let seen: Seen = { commits: [], failures: new Set(), secrets: [] }
  let current: Activity | undefined
  const store = recordingStore(openSqlite({ path: ':memory:' }), (unit) => seen.commits.push(unit))
  const service = await aService({
    store,
    outside,
    activities: activities.map((activity) =>
      revealing(
        watched(activity, (kind) => activity === current && seen.failures.add(kind)),
        (bytes) => seen.secrets.push(bytes),
      ),
    ),
  })
  after(async () => {
    await service.close()
    await store.close()
  })
  return async (activity) => {
    current = activity
    seen = { commits: [], failures: new Set(), secrets: [] }
    // What is limited by time, such as messages to one mailbox, is nothing that the ones before have left.
    service.world.advance(2 * DAY_MS)
    const own = service.of(await service.newOrganization())
    const elsewhere = await aSubOrganization(own)
    const made = await prepare(own, own.root, activity)
    return { service: own, ...seen, elsewhere, ...made, type: newestOf(activity).type }
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Makes everything that the activity's example needs, in the organization of this root user. */
export async function prepare(service: TestService, by: Member, activity: Activity) {
  const made = await prepared({ service, by }, activity)
  service.world.advance(1)
  return made
}
