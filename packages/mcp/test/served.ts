import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestWorld } from '../../../test/support/service.ts'
import { credentialsFrom } from '../src/key-file.ts'
import { startHttpServer } from '../src/http-server.ts'
import { mcpServers } from '../src/server.ts'

export const TOKEN = 'a-token-that-no-page-in-a-browser-knows'

/** The server of an agent over HTTP in this process, with the clock of a test, and a client of the protocol. */
export type Served = {
  readonly client: Client
  readonly url: string
  /** How long a tool waited each time; the clock moves on by as much, and nothing sleeps. */
  readonly pauses: number[]
  /** @param happens  with the signal that ends the wait */
  readonly beforePause: (happens: (signal?: AbortSignal) => Promise<void>) => void
  readonly call: (name: string, asked?: object) => Promise<Told>
  readonly connected: (mode: 'legacy' | 'auto') => Promise<Client>
  readonly close: () => Promise<void>
}

/** What a tool answered; tests look into it by hand. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came over the protocol
type Told = { readonly isError: boolean; readonly told: any; readonly text: string }

export async function served(keyFile: string, world: Pick<TestWorld, 'now' | 'advance'>): Promise<Served> {
  const pauses: number[] = []
  let happens: (signal?: AbortSignal) => Promise<void> = async () => {}
  const servers = mcpServers(credentialsFrom(keyFile, {}), {
    now: world.now,
    pause: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      await happens(signal)
      world.advance(ms)
    },
  })
  const http = await startHttpServer(servers, { port: 0, token: TOKEN, onError: () => {} })
  const clients: Client[] = []
  const connected: Served['connected'] = async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }))
    clients.push(client)
    return client
  }
  const client = await connected('legacy')
  return {
    client,
    url: http.url,
    pauses,
    beforePause: (then) => {
      happens = then
    },
    call: async (name, asked = {}) => {
      // Two requests of the same instant and content would be the same request.
      world.advance(1)
      return toldBy(await client.callTool({ name, arguments: { ...asked } }))
    },
    connected,
    close: async () => {
      await Promise.all(clients.map(async (one) => await one.close()))
      await http.close()
    },
  }
}

export function toldBy(result: Awaited<ReturnType<Client['callTool']>>): Told {
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  return { isError: result.isError === true, told: result.structuredContent, text }
}
