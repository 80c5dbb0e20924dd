import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { readWords, text } from '../arguments.ts'
import { callerFrom, namesFrom } from '../caller.ts'
import { UsageError } from '../usage.ts'
import { exportedSecrets } from './exported-secrets.ts'
import { wantedSecrets } from './wanted-secrets.ts'
import { CommandError } from '../command-error.ts'

/**
 * `claviger secret run NAME… -- command`: gives the secrets to one process in its environment. They are not written to
 * any file, and the process does not get the key that reads them.
 */
export async function runWithSecrets(args: readonly string[]): Promise<number> {
  const { names, command, as } = readRunArguments(args)
  const caller = callerFrom(as, process.env)
  const signer = namesFrom(as, process.env)['SIGNER_PUBLIC_KEY']
  if (signer === undefined || signer === '')
    throw new CommandError(
      `SIGNER_PUBLIC_KEY is not in ${as ?? 'the environment'}: it tells that a secret comes from this service (GET /public/v1/discovery/keys)`,
    )
  const secrets = await exportedSecrets(await wantedSecrets(names, caller), signer, caller, realWorld)
  const { API_PRIVATE_KEY: _, ...environment } = process.env
  return await exitCodeOf(command, { ...environment, ...secrets })
}

function readRunArguments(args: readonly string[]): {
  readonly names: readonly string[]
  readonly command: readonly string[]
  readonly as: string | undefined
} {
  const end = args.indexOf('--')
  const command = args.slice(end + 1)
  if (end < 0 || command.length === 0) throw new UsageError('takes names of secrets, --, and a command')
  const { words: names, values } = readWords(args.slice(0, end), { as: text })
  return { names, command, as: values.as }
}

/** Runs it to its end, with the streams and the signals of this process. */
async function exitCodeOf(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(program, args, { env, stdio: 'inherit' })
  const fromTerminal: readonly NodeJS.Signals[] = hasTerminal() ? ['SIGINT', 'SIGHUP'] : []
  const forward = (signal: NodeJS.Signals): void => {
    if (!fromTerminal.includes(signal)) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, forward)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      )
    })
  } finally {
    for (const signal of signals) process.off(signal, forward)
  }
}

/**
 * Whether a terminal controls this process, and sends its signals to the command as well. A Ctrl-C that arrives twice
 * makes some programs give up in the middle of their work.
 */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
