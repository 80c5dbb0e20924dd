import type { TestContext } from 'node:test'
import { activities } from '../../src/activities/list.ts'
import { present } from '../../src/base/assert.ts'
import type { Activity } from '../../src/catalogue/activity.ts'
import type { Unit } from '../../src/catalogue/unit.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../support/service.ts'
import { outside } from './identities.ts'
import { recordingStore } from './recording-store.ts'
import { aSubOrganization } from './things.ts'
import { watched } from './watched.ts'
import { type Prepared, worlds } from './worlds.ts'

/** A service of its own in which one request of one activity is ready to be made. */
export type Ground = {
  readonly service: TestService
  /** Everything that was written, in order. */
  readonly commits: readonly Unit[]
  /** Kinds of failures that the activity's own functions have thrown. */
  readonly failures: ReadonlySet<string>
  readonly by: Member
  /** The root user of a sub-organization in which nothing has happened. */
  readonly elsewhere: Member
  /** In the newest form. */
  readonly parameters: JsonAnswer
  readonly older: NonNullable<Prepared['older']>
  readonly type: string
}

export async function groundFor(t: TestContext, activity: Activity): Promise<Ground> {
  const { store, commits } = recordingStore(openSqlite({ path: ':memory:' }))
  const failures = new Set<string>()
  const service = await aService({
    store,
    outside,
    activities: activities.map((one) =>
      one === activity ? watched(one, (kind) => failures.add(kind)) : one,
    ),
  })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  const elsewhere = await aSubOrganization(service)
  const prepared = await prepare(service, service.root, activity)
  return { service, commits, failures, elsewhere, ...prepared, type: newestOf(activity).type }
}

/** Makes everything that the activity's example needs, in the organization of this root user. */
export async function prepare(service: TestService, by: Member, activity: Activity) {
  const world = present(worlds[activity.operation], `a world for ${activity.operation}`)
  const { older = {}, ...prepared } = await world({ service, by, example: activity.example.intent })
  service.world.advance(1)
  return { by, ...prepared, older }
}

export function newestOf({ forms }: Activity) {
  return present(forms[forms.length - 1], 'the newest form')
}
