import type { Timers } from '../outside/timers.ts'

/** A connection that the server has refused is tried again after this time. */
const REFUSED_MS = 30_000

/**
 * Lends the connections to the mail server, each to one mail at a time, and only those that it takes. Otherwise each
 * mail beyond them would fail at once, again and again, while those before it take their time.
 */
export class MailConnections<Connection> {
  readonly #timers: Timers
  /** The last used one at the end: it is the likeliest to be open. */
  readonly #free: Connection[]
  readonly #waiting: ((connection: Connection) => void)[] = []
  #used = 0

  constructor(connections: readonly Connection[], timers: Timers) {
    this.#free = [...connections]
    this.#timers = timers
  }

  /** Resolves when there is a connection for a mail, or rejects when its time is over before. */
  async take(time: AbortSignal): Promise<Connection> {
    time.throwIfAborted()
    const free = this.#free.pop()
    if (free === undefined) return await this.#next(time)
    this.#used++
    return free
  }

  giveBack(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next !== undefined) return next(connection)
    this.#used--
    this.#free.push(connection)
  }

  /**
   * The server has refused the connection that a mail was lent. If others are in use, the mail can wait for one of
   * them, and this one is not lent for a while; it must not be given back then.
   *
   * @returns  whether there are others
   */
  refused(connection: Connection): boolean {
    if (this.#used <= 1) return false
    this.#used--
    this.#timers.after(REFUSED_MS, () => {
      this.#used++
      this.giveBack(connection)
    })
    return true
  }

  async #next(time: AbortSignal): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const giveUp = (): void => {
      const at = this.#waiting.indexOf(resolve)
      if (at === -1) return
      this.#waiting.splice(at, 1)
      reject(new Error('no connection was free in time'))
    }
    this.#waiting.push(resolve)
    time.addEventListener('abort', giveUp, { once: true })
    return await promise.finally(() => time.removeEventListener('abort', giveUp))
  }
}
