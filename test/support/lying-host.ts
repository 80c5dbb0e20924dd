import { createServer, type IncomingMessage } from 'node:http'
import type { JsonAnswer } from './service.ts'

/**
 * A host between a client and the service: it may say anything in place of an answer, and notes the votes that pass it.
 */
type LyingHost = {
  readonly baseUrl: string
  /** From now on what it says in place of an answer; the answer itself unless told. */
  tells: (lie: Lie) => void
  /** The fingerprints that were voted on through it, as the requests have them. */
  readonly votes: string[]
  readonly close: () => Promise<void>
}

/** @returns the text that stands in place of the answer's */
type Lie = (answer: string, path: string) => string

export async function aLyingHost(service: string): Promise<LyingHost> {
  const votes: string[] = []
  let lie: Lie = (answer) => answer
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bytesOf(request)
      const path = request.url ?? ''
      if (path.endsWith('_activity') && path.includes('/submit/'))
        votes.push(JSON.parse(body.toString('utf8')).parameters.fingerprint)
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(`${service}${path}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(request.method === 'POST' ? { body: new Uint8Array(body) } : {}),
      })
      const isJson = answer.headers.get('content-type')?.includes('json') === true
      const told = isJson
        ? Buffer.from(lie(await answer.text(), path))
        : Buffer.from(await answer.arrayBuffer())
      const passed = [...answer.headers].filter(
        ([name]) => !['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name),
      )
      response.writeHead(answer.status, Object.fromEntries(passed))
      response.end(told)
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    tells: (told) => {
      lie = told
    },
    votes,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * What a host may say in place of an activity, by what the lie is: in each field of it, at any depth, something else,
 * and the lies that need a plan.
 *
 * @param other  another activity that waits, for lies that take a part from one
 */
export function liesAbout(activity: JsonAnswer, other: JsonAnswer): ReadonlyMap<string, Lie> {
  const lies = new Map<string, Lie>()
  const told = (name: string, change: (told: JsonAnswer) => JsonAnswer): void => {
    lies.set(name, (answer) => inAnswer(answer, activity.id, change))
  }
  for (const path of pathsOf(activity)) {
    const name = path.join('.')
    told(`${name}: a text`, (it) => withValue(it, path, 'A LIE'))
    if (path.length < 4) {
      told(`${name}: null`, (it) => withValue(it, path, null))
      told(`${name}: a list`, (it) => withValue(it, path, ['A LIE']))
    }
    if (JSON.stringify(valueAt(other, path)) !== JSON.stringify(valueAt(activity, path)))
      told(`${name}: of another activity`, (it) => withValue(it, path, valueAt(other, path)))
  }
  const message = activity.votes[0].message as string
  const within = (change: (text: string) => string) => (it: JsonAnswer) =>
    withValue(it, ['votes', 0, 'message'], change(message))
  told(
    'message: one byte',
    within((text) => text.replace(/.$/, ' }')),
  )
  told(
    'message: a space after it',
    within((text) => `${text} `),
  )
  told(
    'message: a byte order mark',
    within((text) => `\ufeff${text}`),
  )
  told(
    'message: a lone surrogate',
    within((text) => `${text}\ud800`),
  )
  told(
    'message: a key twice',
    within((text) => text.replace('{', '{"type":"ACTIVITY_TYPE_CREATE_USER_TAG",')),
  )
  told(
    'message: two spellings',
    within((text) => text.replace('{', '{"organization_id":"x",')),
  )
  told(
    'message: cut',
    within((text) => text.slice(0, -10)),
  )
  told(
    'message: huge',
    within((text) => text + ' '.repeat(3_000_000)),
  )
  told('votes: turned around', (it) => ({ ...it, votes: [...it.votes, ...other.votes].reverse() }))
  told('votes: another before', (it) => ({ ...it, votes: [...other.votes, ...it.votes] }))
  told('votes: many more', (it) => ({ ...it, votes: [...it.votes, ...Array(2_000).fill(other.votes[0])] }))
  told('the other message and its fingerprint', (it) => ({
    ...it,
    fingerprint: other.fingerprint,
    votes: [{ ...it.votes[0], message: other.votes[0].message }],
  }))
  told('nothing', () => null)
  told('a list', (it) => [it])
  lies.set('cut JSON', (answer) => answer.slice(0, -20))
  lies.set('no JSON', () => '<html>')
  lies.set('a key twice, another first', (answer) =>
    answer.replace('"fingerprint":', `"fingerprint":${JSON.stringify(other.fingerprint)},"fingerprint":`),
  )
  lies.set('a key twice, another last', (answer) =>
    answer
      .replace(/"votes":\[/g, '"votes":[')
      .replace(/\}\s*\}\s*$/, `,"fingerprint":"${other.fingerprint}"}}`),
  )
  return lies
}

/** The whole of another activity under the id that was asked for: true of its own bytes, and not what was asked for. */
export function wholeOther(activity: JsonAnswer, other: JsonAnswer): Lie {
  return (answer) => inAnswer(answer, activity.id, () => ({ ...other, id: activity.id }))
}

function inAnswer(answer: string, id: string, change: (told: JsonAnswer) => JsonAnswer): string {
  const json = JSON.parse(answer)
  if (json?.activity?.id === id) return JSON.stringify({ ...json, activity: change(json.activity) })
  if (!Array.isArray(json?.activities)) return answer
  const activities = json.activities.map((each: JsonAnswer) => (each.id === id ? change(each) : each))
  return JSON.stringify({ ...json, activities })
}

type Path = readonly (string | number)[]

function pathsOf(value: JsonAnswer, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Object.entries(value).map(
    ([name, item]) => [Array.isArray(value) ? Number(name) : name, item] as const,
  )
  return [
    ...(path.length === 0 ? [] : [path]),
    ...entries.flatMap(([name, item]) => pathsOf(item, [...path, name])),
  ]
}

function withValue(value: JsonAnswer, [first, ...rest]: Path, put: JsonAnswer): JsonAnswer {
  if (first === undefined) return put
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? withValue(item, rest, put) : item))
  return { ...value, [first]: withValue(value[first], rest, put) }
}

function valueAt(value: JsonAnswer, path: Path): JsonAnswer {
  return path.reduce((at, name) => at?.[name], value)
}
