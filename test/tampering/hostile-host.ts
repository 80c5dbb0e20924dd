import type { Duplex } from 'node:stream'
import { PROTOCOL_VERSION } from '../../src/protocol/envelope.ts'
import { FrameReader, writeFrame } from '../../src/protocol/frames.ts'

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
  #isClosed = false
  #listen: () => void = () => {}

  constructor(socket: Duplex) {
    this.#socket = socket
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      // The vault under test writes nothing but replies; whatever else it wrote would fail every expectation below.
      this.#came.push(...(reader.push(chunk) as Reply[]))
      this.#listen()
    })
    socket.on('close', () => {
      this.#isClosed = true
      this.#listen()
    })
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Resolves when the vault, or the system between, has taken what was written. */
  async written(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()))
  }

  /** Bytes that were written and not taken. */
  get unsent(): number {
    return this.#socket.writableLength
  }

  stopReading(): void {
    this.#socket.pause()
  }

  goOnReading(): void {
    this.#socket.resume()
  }

  hangUp(): void {
    this.#socket.destroy()
  }

  /** Passes over the next so many things that the vault says, each of which is a refusal. */
  async refusals(count: number): Promise<void> {
    for (let left = count; left > 0; left -= this.#came.splice(0, left).length) {
      if (this.#came.length === 0) this.#came.unshift(await this.next())
      for (const { refused } of this.#came.slice(0, left))
        if (refused === undefined) throw new Error('no refusal')
    }
  }

  /** The next thing that the vault says. */
  async next(): Promise<Reply> {
    for (;;) {
      const reply = this.#came.shift()
      if (reply !== undefined) return reply
      if (this.#isClosed) throw new Error('the vault is gone')
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

  greet(protocol: unknown = PROTOCOL_VERSION): void {
    this.write(writeFrame([{ protocol }]))
  }
}
