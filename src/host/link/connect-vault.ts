import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type HandingOut, METHODS, type VaultMethod } from '../../protocol/methods.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { RunningVault } from './running-vault.ts'
import { TicketsSince } from './tickets-since.ts'
import { startTicking } from './ticks.ts'
import { VaultError, type VaultLink, vaultLink, VaultUnavailable } from './vault-link.ts'
import { socketTrouble } from './vault-socket.ts'

const AGAIN_MS = 250
/** The time for the first connection: vault and host may be started in any order. */
const FIRST_MS_MAX = 10_000

/**
 * A vault that runs as a separate service, at this socket. When the connection ends it is re-established, and meanwhile
 * every call is rejected with `VaultUnavailable`.
 */
export function connectVault(path: string): RunningVault {
  const { promise: ended, resolve: leave } = Promise.withResolvers<string>()
  const first = Promise.withResolvers<Awaited<VaultLink['ready']>>()
  const tickets = new TicketsSince()
  let link: VaultLink | undefined
  let isPrepared = false
  let isFirst = true
  let isLeft = false
  let why = 'no connection was made yet'
  let prepare = async (_: Vault): Promise<void> => {}
  const stopTicking = startTicking(
    () => link,
    (hanging) => hanging.close(),
  )

  const heldUntilGone = async (): Promise<void> => {
    const socket = await connected(path)
    // Not `once`: it would reject at an error, also while nobody waits for it yet, and that ends the process.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    link = vaultLink(socket)
    try {
      const said = await link.ready
      tickets.begin()
      if (!isFirst) await prepare(link.vault)
      isPrepared = true
      isFirst = false
      first.resolve(said)
      await closed
      why = 'it has closed the connection'
    } finally {
      isPrepared = false
      link.close()
      link = undefined
    }
  }
  const holdOn = async (): Promise<void> => {
    const since = performance.now()
    while (!isLeft) {
      try {
        await heldUntilGone()
      } catch (error) {
        why = error instanceof Error ? error.message : String(error)
        const isHopeless = error instanceof NotAllowed || performance.now() - since > FIRST_MS_MAX
        const Kind = error instanceof NotAllowed ? VaultError : VaultUnavailable
        if (isFirst && isHopeless) return first.reject(new Kind(`the vault at ${path}: ${why}`))
      }
      if (!isLeft) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
    first.reject(new VaultError(`the vault at ${path} was left`))
  }
  void holdOn()
  return {
    ready: first.promise,
    pid: undefined,
    ended,
    end: async () => {
      isLeft = true
      stopTicking()
      link?.close()
      leave('it was left')
    },
    onReturn: (next) => {
      prepare = next
    },
    vault: vaultOver(() => (isPrepared ? link?.vault : undefined), {
      tickets,
      gone: () => new VaultUnavailable(`the vault at ${path} is gone: ${why}`),
    }),
  }
}

/** Their answers have tickets. */
const HANDING_OUT: Readonly<Record<HandingOut, true>> = { decide: true, establish: true, heartbeat: true }

type Between = { readonly tickets: TicketsSince; readonly gone: () => VaultUnavailable }

/** Each call goes to the vault that is there when it is made. */
function vaultOver(linked: () => Vault | undefined, { tickets, gone }: Between): Vault {
  const called =
    (method: VaultMethod) =>
    (input?: unknown): Promise<unknown> => {
      const vault = linked()
      if (vault === undefined) return Promise.reject(gone())
      // The caller has given what this very method takes.
      const call = vault[method] as (input: unknown) => Promise<unknown>
      if (!(method in HANDING_OUT)) return call(input)
      const { current } = tickets
      return call(input).then((answer) => tickets.shown(answer, current))
    }
  const calls = Object.fromEntries(METHODS.map((method) => [method, called(method)]))
  return {
    // A function for each method, which takes and gives what the method of the vault does.
    ...(calls as Omit<Vault, 'settled'>),
    // Of units of a connection that has ended, the vault knows by itself that it will not be told.
    settled: (units) => {
      const own = tickets.own(units)
      if (own !== undefined) linked()?.settled(own)
    },
  }
}

/** An error that waiting cannot resolve. */
class NotAllowed extends VaultError {}

async function connected(path: string): Promise<Socket> {
  const trouble = socketTrouble(path)
  if (trouble !== undefined) throw new NotAllowed(trouble)
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw new NotAllowed('this user may not connect to it: make it a member of the group of the socket')
    throw error
  }
}
