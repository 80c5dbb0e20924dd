import type { Timers } from '../outside/timers.ts'

const CONNECTIONS_MAX = 4
/** Of the connections that a server has refused, one more is tried after this time. */
const REFUSED_MS = 60_000

/**
 * The number of mails that are given to the server at once: as many as it takes connections. Otherwise each mail beyond
 * them would fail at once, again and again, while those before it take their time.
 */
export class MailConnections {
  static readonly most = CONNECTIONS_MAX
  readonly #timers: Timers
  readonly #waiting: (() => void)[] = []
  #most = CONNECTIONS_MAX
  #used = 0
  #forget = (): void => {}

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Resolves when there is a connection for a mail, or rejects when its time is over before. */
  async take(time: AbortSignal): Promise<void> {
    if (this.#used >= this.#most) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(resolve)
        if (at === -1) return
        this.#waiting.splice(at, 1)
        reject(new Error('no connection was free in time'))
      }
      this.#waiting.push(resolve)
      time.addEventListener('abort', giveUp, { once: true })
      // Whoever gives back its connection hands it on.
      await promise.finally(() => time.removeEventListener('abort', giveUp))
      return
    }
    this.#used++
  }

  giveBack(): void {
    const next = this.#used <= this.#most ? this.#waiting.shift() : undefined
    if (next === undefined) this.#used--
    else next()
  }

  /**
   * The server has refused a connection to a mail that holds one of these.
   *
   * @returns  whether it has others, for one of which the mail can wait
   */
  refused(): boolean {
    this.#forget()
    const hasOthers = this.#used > 1
    this.#most = hasOthers ? Math.min(this.#most, this.#used - 1) : CONNECTIONS_MAX
    if (hasOthers) this.#forget = this.#timers.after(REFUSED_MS, () => this.#open())
    return hasOthers
  }

  #open(): void {
    this.#most = CONNECTIONS_MAX
    while (this.#used < this.#most && this.#waiting.length > 0) {
      this.#used++
      this.#waiting.shift()?.()
    }
  }
}
