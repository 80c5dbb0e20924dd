import { createHash } from 'node:crypto'
import { consoleFolder } from '../../app/console-folder.ts'
import { ServiceUnreachable } from '../signed-query.ts'
import { boundedBody } from './bounded-body.ts'
import { whyNot } from './why-not.ts'

/** The files that a host serves, compared with those of this version. */
export type Verdict = {
  readonly isSame: boolean
  readonly files: readonly {
    readonly name: string
    /** Of this version, in hexadecimal. */
    readonly sha256: string
    readonly found: 'same' | 'different' | 'missing'
  }[]
  /** Headers of the page that differ from those of this version, in sentences. */
  readonly headers: readonly string[]
}

const ANSWER_WITHIN_MS = 60_000
const FILE_BYTES_MAX = 8 * 1024 * 1024

/** A header that no answer of the console may have, because it admits other origins or stores data about the reader. */
const FORBIDDEN = ['access-control-allow-origin', 'set-cookie', 'link', 'refresh', 'service-worker-allowed']

/**
 * Compares the console that a host serves with that of this installation, file by file and header by header.
 *
 * @param service  an address without a slash at its end
 * @throws ServiceUnreachable if the host does not answer
 */
export async function verifyConsole(service: string): Promise<Verdict> {
  const folder = `${service}${consoleFolder.path}`
  const files: Verdict['files'][number][] = []
  for (const { name, bytes } of await consoleFolder.files()) {
    const { status, body } = await got(`${folder}${name}`)
    const found = status !== 200 ? 'missing' : body.equals(bytes) ? 'same' : 'different'
    files.push({ name, sha256: createHash('sha256').update(bytes).digest('hex'), found })
  }
  // The answer for a browser, which may differ from that for `index.html`.
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
      // With the headers of a browser that opens the page.
      headers: { accept: 'text/html,*/*', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return { status: answer.status, headers: answer.headers, body: await boundedBody(answer, FILE_BYTES_MAX) }
  } catch (error) {
    throw new ServiceUnreachable(`${url} cannot be read: ${whyNot(error)}`)
  }
}
