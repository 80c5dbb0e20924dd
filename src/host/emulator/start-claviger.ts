import { activities } from '../../trusted/activities/list.ts'
import { httpServer } from '../http/server.ts'
import { listenOnLoopback } from './assembly.ts'
import { checkOptions } from './check-options.ts'
import type { Claviger, StartOptions } from './claviger.ts'
import { controlRoutes } from './control-routes.ts'
import { type EmulatedUsers, emulatedUsers } from './emulated-users.ts'
import { type Emulator, openEmulator } from './emulator.ts'
import { makeFixtures } from './fixtures.ts'
import { namedFixtures } from './named-fixtures.ts'

export type { Claviger, StartOptions }

/** Starts an emulator: the real service and vault, for tests. It must not be used for anything of value. */
export async function startClaviger(options: StartOptions = {}): Promise<Claviger> {
  checkOptions(options)
  const { seed = 1, port = 0, clock = 'frozen', strictTime = false, fixtures } = options
  const emulator = await openEmulator({ seed: String(seed), clock, strictTime, onBug })
  const routes = new Map(emulator.routes)
  const { world } = emulator.instance()
  const server = httpServer({ routes, world, isTrustedProxy: () => false, onBug, onAnswered: () => {} })
  emulator.mark(server)
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await emulator.end()
  }
  try {
    const baseUrl = await listenOnLoopback(server, port)
    const users = emulatedUsers(emulator, baseUrl)
    if (fixtures !== undefined) await makeAll(fixtures, emulator, users)
    const claviger = await handleOf(emulator, { baseUrl, users, close })
    for (const [name, route] of controlRoutes(claviger)) routes.set(name, route)
    return claviger
  } catch (error) {
    await close()
    throw error
  }
}

function onBug(bug: unknown): void {
  process.stderr.write(`claviger EMULATOR: bug: ${bug instanceof Error ? bug.stack : String(bug)}\n`)
}

async function makeAll(
  fixtures: NonNullable<StartOptions['fixtures']>,
  emulator: Emulator,
  { user, newUser, direct }: EmulatedUsers,
): Promise<void> {
  const results = await makeFixtures(typeof fixtures === 'string' ? namedFixtures(fixtures) : fixtures, {
    root: direct(user('root')),
    newUser: async (userName) => direct(await newUser(userName)),
    isOperation: (name) => activities.some(({ operation }) => operation === name),
  })
  emulator.keep(results)
}

/** The object for a suite. It always acts on the present life. */
async function handleOf(
  emulator: Emulator,
  { baseUrl, users, close }: Pick<Claviger, 'baseUrl' | 'close'> & { readonly users: EmulatedUsers },
): Promise<Claviger> {
  const { clock, faults, log, instance, snapshot, restore } = emulator
  const { user, newUser } = users
  const serviceKeys = await instance().host.vault.serviceKeys()
  const beginning = snapshot()
  return {
    baseUrl,
    serviceKeys,
    get organizationId() {
      return user('root').organizationId
    },
    get root() {
      return user('root')
    },
    get results() {
      return emulator.results()
    },
    user,
    newUser,
    clock: { now: () => new Date(clock.now()), advance: clock.advance },
    inbox: {
      code: (contact) => instance().inbox.code(contact),
      messages: () => instance().inbox.messages(),
    },
    webhooks: { next: (withinMs) => instance().webhooks.next(withinMs) },
    faults: { next: faults.next },
    snapshot,
    restore,
    reset: () => restore(beginning),
    requests: log.requests,
    close,
    [Symbol.asyncDispose]: close,
  }
}
