import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** `cut`: nothing passes and nobody is told, as when a cable is drawn. `slow`: each piece comes so much later. */
export type LinkState = { readonly kind: 'open' | 'cut' } | { readonly kind: 'slow'; readonly ms: number }

/** The way from one part to a port of another, through a port of its own. */
export type Link = {
  readonly port: number
  readonly set: (state: LinkState) => void
  readonly close: () => Promise<void>
}

type Pair = { readonly near: Socket; readonly far: Socket }

export async function openLink(toPort: number): Promise<Link> {
  const pairs = new Set<Pair>()
  /** Connections of which an end went away while the way was cut: the other end hears of it afterwards. */
  const halfOpen = new Set<Pair>()
  let state: LinkState = { kind: 'open' }

  const ended = (pair: Pair): void => {
    if (state.kind === 'cut') {
      halfOpen.add(pair)
      return
    }
    pairs.delete(pair)
    for (const socket of [pair.near, pair.far]) if (!socket.destroyed) socket.resetAndDestroy()
  }
  const carry = (pair: Pair, from: Socket, to: Socket): void => {
    let lastAt = 0
    from.on('data', (chunk) => {
      const delayMs = state.kind === 'slow' ? state.ms : 0
      // What was sent later never comes earlier.
      lastAt = Math.max(lastAt, Date.now() + delayMs)
      const waitMs = lastAt - Date.now()
      if (waitMs <= 0) to.write(chunk)
      else setTimeout(() => to.write(chunk), waitMs)
    })
    from.on('error', () => undefined)
    from.on('close', () => ended(pair))
  }
  const server = createServer((near) => {
    const pair = { near, far: connect(toPort, '127.0.0.1') }
    near.setNoDelay(true)
    pair.far.setNoDelay(true)
    pairs.add(pair)
    carry(pair, near, pair.far)
    carry(pair, pair.far, near)
    if (state.kind === 'cut') hold(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  return {
    port: address.port,
    set: (next) => {
      state = next
      if (next.kind === 'cut') return pairs.forEach(hold)
      for (const pair of halfOpen) ended(pair)
      halfOpen.clear()
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.resume()
    },
    close: async () => {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function hold({ near, far }: Pair): void {
  near.pause()
  far.pause()
}
