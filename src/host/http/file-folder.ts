import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sharedAnswer } from './shared-answer.ts'

/** A file as it is served: its name within the folder, without a slash before it, and its bytes. */
export type ServedFile = { readonly name: string; readonly bytes: Uint8Array }

/** Files under one path, all with the same headers. They are read when one of them is first asked for. */
export type FileFolder = {
  /** With a slash at both ends, such as `/console/`; `index.html` is answered at the path itself. */
  readonly path: string
  readonly files: () => Promise<readonly ServedFile[]>
  /** Names in lower case. No page of another origin may read these files, unless a header here lets it. */
  readonly headers: Headers
}

type Headers = Readonly<Record<string, string>>

export type FileRequest = {
  readonly method: string
  /** Without what follows a question mark. */
  readonly path: string
  readonly clientAddress: string
  readonly headers: { readonly [name: string]: readonly string[] | undefined }
}

/** A whole answer: nothing is added to these headers but the length. */
export type FileAnswer = {
  readonly kind: 'file'
  readonly status: 200 | 204 | 304 | 308 | 404 | 405
  readonly headers: Headers
  readonly body: Uint8Array
}

/**
 * Answers requests at the paths of these folders; undefined says that a path is in none of them.
 *
 * @param admit  called before any file is read; a thrown failure is the answer
 */
export function answersFromFolders(
  folders: readonly FileFolder[],
  admit: (request: FileRequest) => void = () => {},
): (request: FileRequest) => Promise<FileAnswer> | undefined {
  const opened = folders.map((folder) => ({ ...folder, found: sharedAnswer(() => heldByName(folder)) }))
  return (request) => {
    const folder = opened.find(({ path }) => request.path.startsWith(path) || `${request.path}/` === path)
    if (folder === undefined) return undefined
    admit(request)
    return answerFrom(folder, request)
  }
}

async function answerFrom(
  { path, headers, found }: FileFolder & { readonly found: () => Promise<ReadonlyMap<string, Held>> },
  request: FileRequest,
): Promise<FileAnswer> {
  const allow = { allow: 'GET, HEAD' }
  if (request.method === 'OPTIONS')
    return { kind: 'file', status: 204, headers: { ...headers, ...allow }, body: NOTHING }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return said(405, 'send GET or HEAD', { ...headers, ...allow })
  if (request.path.length < path.length)
    return { kind: 'file', status: 308, headers: { ...headers, location: path }, body: NOTHING }
  const file = (await found()).get(request.path.slice(path.length) || 'index.html')
  return file === undefined ? said(404, 'there is no such file', headers) : answerWith(file, headers, request)
}

const NOTHING = new Uint8Array()

function said(status: 404 | 405, sentence: string, headers: Headers): FileAnswer {
  const body = Buffer.from(`${sentence}\n`)
  return {
    kind: 'file',
    status,
    headers: { ...headers, 'content-type': TEXT, 'cache-control': 'no-store' },
    body,
  }
}

function answerWith(
  { plain, zipped, contentType, entityTag }: Held,
  headers: Headers,
  asked: FileRequest,
): FileAnswer {
  const common = {
    ...headers,
    'content-type': contentType,
    // A browser revalidates the file each time, so that a new version is used immediately.
    'cache-control': 'no-cache',
    etag: entityTag,
    vary: 'accept-encoding',
  }
  if (asked.headers['if-none-match']?.includes(entityTag) === true)
    return { kind: 'file', status: 304, headers: common, body: NOTHING }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0)/.test(asked.headers['accept-encoding']?.join() ?? '')
  return takesGzip
    ? { kind: 'file', status: 200, headers: { ...common, 'content-encoding': 'gzip' }, body: zipped }
    : { kind: 'file', status: 200, headers: common, body: plain }
}

type Held = {
  readonly plain: Uint8Array
  readonly zipped: Uint8Array
  readonly contentType: string
  readonly entityTag: string
}

async function heldByName({ files }: FileFolder): Promise<ReadonlyMap<string, Held>> {
  return new Map((await files()).map(({ name, bytes }) => [name, held(name, bytes)]))
}

function held(name: string, bytes: Uint8Array): Held {
  return {
    plain: bytes,
    zipped: gzipSync(bytes, { level: 9 }),
    contentType: CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? TEXT,
    entityTag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  }
}

const TEXT = 'text/plain; charset=utf-8'

const CONTENT_TYPES: Headers = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
