import { spawn } from 'node:child_process'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'

type ToolRun = {
  readonly environment: { readonly [name: string]: string | undefined }
  /** The standard input of the tool, which may be secret. */
  readonly input?: Uint8Array
}

const MS_MAX = 30_000
const OUTPUT_BYTES_MAX = 64 * 1024
const COMPLAINT_CHARACTERS_MAX = 300

/**
 * Runs a tool to its end; its output may be secret. Its arguments must not be, because other users of the machine can
 * read them.
 *
 * @throws RootKeyError with the last error output of the tool
 */
export async function runTool(
  name: string,
  args: readonly string[],
  { environment, input = new Uint8Array() }: ToolRun,
): Promise<Uint8Array> {
  const tool = spawn(name, args, { env: { ...environment, LC_ALL: 'C' }, stdio: 'pipe' })
  const timer = setTimeout(() => tool.kill('SIGKILL'), MS_MAX)
  const printed: Buffer[] = []
  let bytes = 0
  let complaint = ''
  tool.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > OUTPUT_BYTES_MAX) tool.kill('SIGKILL')
    else printed.push(chunk)
  })
  tool.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-COMPLAINT_CHARACTERS_MAX)
  })
  // A tool that ends before it has read its input reports the reason elsewhere.
  tool.stdin.on('error', () => undefined)
  tool.stdin.end(input)
  const ended = await new Promise<string | undefined>((resolve) => {
    tool.on('error', (error) =>
      resolve('code' in error && error.code === 'ENOENT' ? 'it is not installed' : error.message),
    )
    tool.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)))
  })
  clearTimeout(timer)
  if (ended === undefined) return Buffer.concat(printed)
  throw new RootKeyError(`${name} failed (${ended})${visible(complaint)}`)
}

/** Output with non-text bytes may contain the key, and so may a long run of digits and letters. */
function visible(complaint: string): string {
  if (/[^\s\x20-\x7e]/.test(complaint)) return ', and printed what is no text'
  const words = complaint
    .replaceAll(/\s+/g, ' ')
    .replaceAll(LONG_RUN, (run) => (isWords(run) ? run : '…'))
    .trim()
  return words === '' ? '' : `: ${words}`
}

/** 12 bytes and more in hexadecimal, also in pairs, and in base64; the names of a path are shorter. */
const LONG_RUN = /(?:[0-9a-f]{2}[ :,]?){12,}[0-9a-f]*|[\w+=-]{24,}|(?<![\w/.-])[\w+=-][\w+/=-]{31,}/gi

/** Such as CKR_MECHANISM_PARAM_INVALID: letters alone, in parts of which none is long. */
function isWords(run: string): boolean {
  return run.split(/[_-]/).every((part) => /^[a-z]{1,20}$/i.test(part))
}
