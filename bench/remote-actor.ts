import { Agent, request } from 'node:http'
import { present } from '../src/trusted/base/assert.ts'
import type { Actor } from '../test/cost/recorded.ts'
import { type StampKey, stampWith } from '../test/support/stamper.ts'

const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

/**
 * Somebody who asks a running service, from several addresses in turn; what the vault does of it is not seen from here.
 */
export function remoteActor(of: {
  readonly port: number
  readonly key: StampKey
  readonly organizationId: string
}): Actor {
  const agents = ADDRESSES.map((localAddress) => new Agent({ keepAlive: true, localAddress }))
  let sent = 0
  let clock = Date.now()
  const send = async (route: string, body: string) => {
    const { stampHeaderName, stampHeaderValue } = stampWith(of.key, body)
    const agent = present(agents[sent++ % agents.length], 'an address')
    const headers = { [stampHeaderName]: stampHeaderValue, 'content-length': String(Buffer.byteLength(body)) }
    const answer = await posted({ port: of.port, agent, path: `/public/v1/${route}`, headers }, body)
    return { ...answer, calls: [] }
  }
  const activity = (type: string, parameters: object): string => {
    clock = Math.max(clock + 1, Date.now())
    const { organizationId } = of
    return JSON.stringify({ type, timestampMs: String(clock), organizationId, parameters })
  }
  const submit: Actor['submit'] = (operation, type, parameters) =>
    send(`submit/${operation}`, activity(type, parameters))
  const query: Actor['query'] = (operation, body) =>
    send(`query/${operation}`, JSON.stringify({ organizationId: of.organizationId, ...body }))
  return {
    submit,
    query,
    submitText: (operation, type, { payloads, ...parameters }) => {
      const body = activity(type, { ...parameters, payloads: 0 })
      return send(`submit/${operation}`, body.replace('"payloads":0', `"payloads":${payloads}`))
    },
    answer: async (operation, body) => (await query(operation, body)).text,
    done: async (operation, type, parameters) => {
      const { status, text } = await submit(operation, type, parameters)
      if (status !== 200) throw new Error(`${operation}: ${status} ${text}`)
      return Object.values(JSON.parse(text).activity.result)[0]
    },
  }
}

type Target = {
  readonly port: number
  readonly agent: Agent
  readonly path: string
  readonly headers: Record<string, string>
}

function posted(target: Target, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    const post = request({ ...target, host: '127.0.0.1', method: 'POST' }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    // A body that is refused before it has been sent meets a closed connection.
    post.on('error', ({ message }) => resolve({ status: 0, text: message }))
    post.end(body)
  })
}
