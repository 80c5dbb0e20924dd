import type { Duplex } from 'node:stream'
import { FrameReader, writeFrame } from '../../src/vault/frames.ts'

/** What came back: an answer, an exception of the vault, or why it did not take a message. */
export type Reply = {
  readonly id?: number
  readonly output?: unknown
  readonly bug?: string
  readonly refused?: string
  readonly ready?: unknown
}

/** The host's end of the socket in the hands of somebody who writes what they like to it. */
export class HostileHost {
  readonly #socket: Duplex
  readonly #came: Reply[] = []
  #nextId = 1
  #listen: () => void = () => {}

  constructor(socket: Duplex) {
    this.#socket = socket
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      // The vault under test writes nothing but replies; whatever else it wrote would fail every expectation below.
      this.#came.push(...(reader.push(chunk) as Reply[]))
      this.#listen()
    })
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** The next thing that the vault says. */
  async next(): Promise<Reply> {
    for (;;) {
      const reply = this.#came.shift()
      if (reply !== undefined) return reply
      await new Promise<void>((resolve) => {
        this.#listen = resolve
      })
    }
  }

  /** One frame with these messages, and the next thing that the vault says. */
  async say(...messages: readonly unknown[]): Promise<Reply> {
    this.write(writeFrame(messages))
    return await this.next()
  }

  async call(method: string, input?: unknown): Promise<Reply> {
    return await this.say({ id: this.#nextId++, method, ...(input === undefined ? {} : { input }) })
  }

  /** An id above all that were used. */
  freshId(): number {
    return this.#nextId++
  }

  greet(protocol: unknown = 2): void {
    this.write(writeFrame([{ protocol }]))
  }
}
