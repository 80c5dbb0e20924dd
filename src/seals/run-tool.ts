import { spawn } from 'node:child_process'
import { RootKeyError } from '../trusted/vault/root-key-error.ts'

type ToolRun = {
  readonly environment: { readonly [name: string]: string | undefined }
  /** What the tool reads from its standard input, which may be secret. */
  readonly input?: Uint8Array
}

const MS_MAX = 30_000
const OUTPUT_BYTES_MAX = 64 * 1024
const COMPLAINT_CHARACTERS_MAX = 300

/**
 * Runs a tool to its end; what it prints may be secret. Nothing secret is among its arguments, which others on the machine can read.
 *
 * @throws RootKeyError with the last that the tool complained about
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
  // A tool that ends before it has read everything says why in another way.
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

function visible(complaint: string): string {
  const words = complaint.replaceAll(/[^ -~]+/g, ' ').trim()
  return words === '' ? '' : `: ${words}`
}
