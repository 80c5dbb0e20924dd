import { createHash } from 'node:crypto'
import { consoleFolder } from '../../app/console-folder.ts'
import { ServiceUnreachable } from '../signed-query.ts'
import { boundedBody } from './bounded-body.ts'
import { whyNot } from './why-not.ts'

/** What a host serves beside what this version has. */
export type Verdict = {
  readonly isSame: boolean
  readonly files: readonly {
    readonly name: string
    /** Of this version, in hexadecimal. */
    readonly sha256: string
    readonly found: 'same' | 'different' | 'missing'
  }[]
  /** Headers of the page that are not as this version sends them, in sentences. */
  readonly headers: readonly string[]
}

const ANSWER_WITHIN_MS = 60_000
const FILE_BYTES_MAX = 8 * 1024 * 1024

/** A header that no answer of the console may have, because it lets others in or keeps something of the reader. */
const FORBIDDEN = ['access-control-allow-origin', 'set-cookie', 'link', 'refresh', 'service-worker-allowed']

/**
 * Compares the console that a host serves with the one of this installation, file by file and header by header.
 *
 * @param service  an address without a slash at its end
 * @throws ServiceUnreachable where the host does not answer
 */
export async function verifyConsole(service: string): Promise<Verdict> {
  const folder = `${service}${consoleFolder.path}`
  const files: Verdict['files'][number][] = []
  for (const { name, bytes } of await consoleFolder.files()) {
    const { status, body } = await got(`${folder}${name}`)
    const found = status !== 200 ? 'missing' : body.equals(bytes) ? 'same' : 'different'
    files.push({ name, sha256: createHash('sha256').update(bytes).digest('hex'), found })
  }
  // What a browser gets, which need not be what `index.html` is answered with.
  const page = await got(folder)
  const own = files.find(({ name }) => name === 'index.html')?.sha256 ?? ''
  const isOwn = page.status === 200 && createHash('sha256').update(page.body).digest('hex') === own
  files.unshift({ name: consoleFolder.path, sha256: own, found: isOwn ? 'same' : 'different' })
  const headers = troublesOf(page.headers)
  return { isSame: headers.length === 0 && files.every(({ found }) => found === 'same'), files, headers }
}

function troublesOf(headers: Headers): readonly string[] {
  const wrong = Object.entries(consoleFolder.headers).flatMap(([name, value]) => {
    const sent = headers.get(name)
    if (sent === value) return []
    return sent === null
      ? `${name} is not sent`
      : `${name} is ${JSON.stringify(sent)}, not ${JSON.stringify(value)}`
  })
  const more = FORBIDDEN.filter((name) => headers.has(name)).map((name) => `${name} is sent`)
  return [...wrong, ...more]
}

async function got(
  url: string,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Buffer }> {
  try {
    const answer = await fetch(url, {
      // As a browser asks that opens the page.
      headers: { accept: 'text/html,*/*', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return { status: answer.status, headers: answer.headers, body: await boundedBody(answer, FILE_BYTES_MAX) }
  } catch (error) {
    throw new ServiceUnreachable(`${url} cannot be read: ${whyNot(error)}`)
  }
}
