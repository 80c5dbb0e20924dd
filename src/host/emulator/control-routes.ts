import { readJsonObject } from '../../trusted/base/strict-json.ts'
import { object, optional, text } from '../../trusted/catalogue/shape.ts'
import { forThisMachine } from '../http/for-this-machine.ts'
import type { Route } from '../http/route.ts'
import type { EmulatedUser } from './emulated-user.ts'
import { invalidWait, noSuchSnapshot } from './failures.ts'
import type { Claviger } from './claviger.ts'
import type { Snapshot } from './snapshot.ts'

type Control = (claviger: Claviger, sent: Readonly<Record<string, unknown>>) => unknown

/** The controls of `startClaviger` over HTTP, for suites in any language: POST takes a JSON object or an empty body. */
export function controlRoutes(claviger: Claviger): ReadonlyMap<string, Route> {
  const snapshots = new Map<string, Snapshot>()
  const controls: Readonly<Record<string, Control>> = { ...plainControls, ...snapshotControls(snapshots) }
  return new Map(
    Object.entries(controls).map(([name, control]) => [
      name,
      forThisMachine(async ({ body }) => {
        const sent = body.length === 0 ? {} : readJsonObject(body)
        const answer = { service: 'Claviger EMULATOR', ...Object(await control(claviger, sent)) }
        return { kind: 'ok', body: JSON.stringify(answer) }
      }),
    ]),
  )
}

const plainControls: Readonly<Record<string, Control>> = {
  'GET /emulator': (claviger) => {
    const { baseUrl, organizationId, root, serviceKeys, results, clock } = claviger
    return { baseUrl, organizationId, now: clock.now(), root: shownUser(root), serviceKeys, results }
  },
  'GET /emulator/requests': ({ requests }) => ({ requests: requests() }),
  'GET /emulator/inbox': ({ inbox }) => ({ messages: inbox.messages() }),
  'POST /emulator/inbox/code': ({ inbox }, sent) => ({
    code: inbox.code(contact.read(sent, '', 'strict').contact),
  }),
  'POST /emulator/clock': ({ clock }, { advance = '' }) => {
    clock.advance(typeof advance === 'number' ? advance : String(advance))
    return { now: clock.now() }
  },
  'POST /emulator/users': async ({ newUser }, sent) =>
    shownUser(await newUser(userParams.read(sent, '', 'strict').userName)),
  'POST /emulator/webhooks/next': async ({ webhooks }, { withinMs = 10_000 }) => {
    if (typeof withinMs !== 'number' || !(withinMs >= 0 && withinMs <= WAIT_MS_MAX))
      throw invalidWait({ withinMs })
    return { webhook: await webhooks.next(withinMs) }
  },
  'POST /emulator/faults': ({ faults }, { operation = '', fault }) => {
    // The receiver checks every value before it keeps it.
    faults.next(String(operation), fault as Parameters<typeof faults.next>[1])
    return {}
  },
  'POST /emulator/reset': ({ reset }) => {
    reset()
    return {}
  },
}

/** Less than a client's timeout for an answer. */
const WAIT_MS_MAX = 60_000
const contact = object({ contact: text({ max: 320 }) })
const userParams = object({ userName: optional(text({ min: 1, max: 255 })) })

/** Snapshots stay here and are named by numbers, because they are larger than a request may be. */
function snapshotControls(snapshots: Map<string, Snapshot>): Readonly<Record<string, Control>> {
  let made = 0
  return {
    'POST /emulator/snapshot': (claviger) => {
      const name = String(++made)
      snapshots.set(name, claviger.snapshot())
      for (const oldest of snapshots.keys()) if (snapshots.size > KEPT_MAX) snapshots.delete(oldest)
      return { snapshot: name }
    },
    'POST /emulator/restore': (claviger, { snapshot: name = '' }) => {
      const snapshot = snapshots.get(String(name))
      if (snapshot === undefined) throw noSuchSnapshot({ snapshot: String(name) })
      claviger.restore(snapshot)
      return {}
    },
  }
}

const KEPT_MAX = 100

function shownUser({ userName, userId, organizationId, apiPublicKey, apiPrivateKey }: EmulatedUser) {
  return { userName, userId, organizationId, apiPublicKey, apiPrivateKey }
}
