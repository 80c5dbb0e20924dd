import { activities } from '../../trusted/activities/list.ts'
import { present } from '../../trusted/base/assert.ts'
import { utf8 } from '../../trusted/base/bytes.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { keyedMutex } from '../../trusted/base/keyed-mutex.ts'
import { type EmulatedUser, emulatedUser, newestTypes, seededKey, type Send } from './emulated-user.ts'
import type { Emulator } from './emulator.ts'
import { noSuchUser, userNotMade } from './failures.ts'
import type { KnownUser } from './snapshot.ts'

/** The users whose keys an emulator has. Their requests go over the socket, like requests of a suite. */
export type EmulatedUsers = {
  /** @throws Failure `userNotMade` */
  readonly newUser: (userName?: string) => Promise<EmulatedUser>
  /** The last user with this name; `root` is the root user. @throws Failure `noSuchUser` */
  readonly user: (userName: string) => EmulatedUser
  /** The same user, without the socket, the log and the faults, for requests of the emulator itself. */
  readonly direct: (user: EmulatedUser) => EmulatedUser
}

export function emulatedUsers(emulator: Emulator, baseUrl: string): EmulatedUsers {
  const overHttp = httpSend(baseUrl)
  const past = directSend(emulator)
  const inTurn = keyedMutex()
  const userOf = (known: KnownUser, send: Send): EmulatedUser =>
    emulatedUser(
      { ...known, key: seededKey(emulator.seed, known.keyName) },
      { baseUrl: () => baseUrl, send, timestampMs: emulator.timestampMs, types },
    )
  const made = async (userName: string): Promise<EmulatedUser> => {
    const keyName = `user ${userName}`
    const root = present(emulator.users()[0], 'the root user')
    const publicKey = seededKey(emulator.seed, keyName).apiPublicKey
    const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
    const { status, json } = await userOf(root, past).submit('create_users', { users })
    const userId: unknown = json?.activity?.result?.createUsersResult?.userIds?.[0]
    if (status !== 200 || typeof userId !== 'string')
      throw userNotMade({ userName, why: String(json?.message ?? json?.activity?.status) })
    const known = { userName, userId, organizationId: root.organizationId, keyName }
    emulator.know(known)
    return userOf(known, overHttp)
  }
  const known = (is: (user: KnownUser) => boolean, userName: string): KnownUser => {
    const found = emulator.users().findLast(is)
    if (found === undefined) throw noSuchUser({ userName })
    return found
  }
  return {
    // In turn, so that two requests without a name get one each.
    newUser: (userName) => inTurn('', () => made(userName ?? `User ${emulator.users().length}`)),
    user: (userName) => {
      const root = emulator.users()[0]
      return userOf(
        known((one) => (userName === 'root' ? one === root : one.userName === userName), userName),
        overHttp,
      )
    },
    direct: ({ userId, userName }) =>
      userOf(
        known((one) => one.userId === userId, userName),
        past,
      ),
  }
}

const types = newestTypes(activities)

function directSend(emulator: Emulator): Send {
  return async (path, body, xStamp) => {
    const route = present(emulator.instance().routes.get(`POST ${path}`), 'a route of the interface')
    const call = { body: utf8(body), stamp: { xStamp }, clientAddress: '127.0.0.1', headers: {} }
    try {
      const answer = await route(call)
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
