import { activities } from '../../trusted/activities/list.ts'
import { present } from '../../trusted/base/assert.ts'
import { utf8 } from '../../trusted/base/bytes.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { httpServer } from '../http/server.ts'
import { listenOnLoopback } from './assembly.ts'
import type { Claviger, StartOptions } from './claviger.ts'
import { controlRoutes } from './control-routes.ts'
import { type EmulatedUser, emulatedUser, newestTypes, seededKey, type Send } from './emulated-user.ts'
import { type Emulator, openEmulator } from './emulator.ts'
import { noSuchUser, userNotMade } from './failures.ts'
import { makeFixtures } from './fixtures.ts'
import { namedFixtures } from './named-fixtures.ts'
import type { KnownUser } from './snapshot.ts'

export type { Claviger, StartOptions }

/** Starts an emulator: the very service and vault, for tests. Nothing of value belongs into it. */
export async function startClaviger(options: StartOptions = {}): Promise<Claviger> {
  const { seed = 1, port = 0, clock = 'frozen', strictTime = false, fixtures } = options
  const bugs: unknown[] = []
  const onBug = (bug: unknown): void => {
    bugs.push(bug)
    process.stderr.write(`claviger EMULATOR: bug: ${bug instanceof Error ? bug.stack : String(bug)}\n`)
  }
  const emulator = await openEmulator({ seed: String(seed), clock, strictTime, onBug })
  const routes = new Map(emulator.routes)
  const server = httpServer({
    routes,
    world: emulator.instance().world,
    isTrustedProxy: () => false,
    onBug,
    onAnswered: () => {},
  })
  emulator.mark(server)
  const baseUrl = await listenOnLoopback(server, port)
  const userOf = (known: KnownUser, send: Send): EmulatedUser =>
    emulatedUser(
      { ...known, key: seededKey(emulator.seed, known.keyName) },
      { baseUrl: () => baseUrl, send, timestampMs: emulator.timestampMs, types },
    )
  const direct = directSend(emulator)
  const overHttp = httpSend(baseUrl)
  const newUser = async (userName: string): Promise<EmulatedUser> => {
    const alike = emulator.users().filter((user) => user.userName === userName).length
    const keyName = `${userName} ${alike}`
    const root = present(emulator.users()[0], 'the root user')
    const apiKeys = [
      {
        apiKeyName: 'Key',
        publicKey: seededKey(emulator.seed, keyName).apiPublicKey,
        curveType: 'API_KEY_CURVE_P256',
      },
    ]
    const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
    const { status, json } = await userOf(root, direct).submit('create_users', { users })
    const userId: unknown = json?.activity?.result?.createUsersResult?.userIds?.[0]
    if (status !== 200 || typeof userId !== 'string')
      throw userNotMade({ userName, why: String(json?.message ?? json?.activity?.status) })
    const known = { userName, userId, organizationId: root.organizationId, keyName }
    emulator.know(known)
    return userOf(known, overHttp)
  }
  const user = (userName: string): EmulatedUser => {
    const known =
      userName === 'root'
        ? emulator.users()[0]
        : emulator.users().findLast((one) => one.userName === userName)
    if (known === undefined) throw noSuchUser({ userName })
    return userOf(known, overHttp)
  }
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await emulator.end()
  }
  try {
    if (fixtures !== undefined) {
      const root = userOf(present(emulator.users()[0], 'the root user'), direct)
      const inside = async (userName: string): Promise<EmulatedUser> => {
        await newUser(userName)
        return userOf(present(emulator.users().at(-1), 'the new user'), direct)
      }
      emulator.keep(
        await makeFixtures(typeof fixtures === 'string' ? namedFixtures(fixtures) : fixtures, {
          root,
          newUser: inside,
          isOperation: (name) => types.has(name),
        }),
      )
    }
    const serviceKeys = await emulator.instance().host.vault.serviceKeys()
    const beginning = emulator.snapshot()
    const claviger: Claviger = {
      baseUrl,
      get organizationId() {
        return user('root').organizationId
      },
      get root() {
        return user('root')
      },
      serviceKeys,
      newUser: (userName = `User ${emulator.users().length}`) => newUser(userName),
      user,
      get results() {
        return emulator.results()
      },
      clock: { now: () => new Date(emulator.clock.now()), advance: emulator.clock.advance },
      inbox: {
        code: (contact) => emulator.instance().inbox.code(contact),
        messages: () => emulator.instance().inbox.messages(),
      },
      webhooks: { next: (withinMs) => emulator.instance().webhooks.next(withinMs) },
      faults: { next: emulator.faults.next },
      snapshot: emulator.snapshot,
      restore: emulator.restore,
      reset: () => emulator.restore(beginning),
      requests: emulator.log.requests,
      close,
      [Symbol.asyncDispose]: close,
    }
    for (const [name, route] of controlRoutes(claviger)) routes.set(name, route)
    return claviger
  } catch (error) {
    await close()
    throw error
  }
}

const types = newestTypes(activities)

/** Past the socket, the log and the faults: for what the emulator itself asks. */
function directSend(emulator: Emulator): Send {
  return async (path, body, stamp) => {
    const route = present(emulator.instance().routes.get(`POST ${path}`), 'a route of the interface')
    try {
      const answer = await route({
        body: utf8(body),
        stamp: { xStamp: stamp },
        clientAddress: '127.0.0.1',
        headers: {},
      })
      return answer.kind === 'ok'
        ? { status: 200, json: JSON.parse(answer.body) }
        : { status: 400, json: answer.error }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { status: 400, json: { message: error.message } }
    }
  }
}

function httpSend(baseUrl: string): Send {
  return async (path, body, stamp) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-stamp': stamp },
    })
    return { status: answer.status, json: await answer.json() }
  }
}
