import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Starts a program, and notes it where the keeper of the folder looks. What it says goes to a file. */
export function startNoted(
  folder: string,
  [command, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
): { readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<unknown> } {
  const child = spawn(command, args, { ...options, detached: true })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} did not start`)
  const note = join(folder, 'processes', String(pid))
  writeFileSync(note, `${pid}\n`)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  void ended.then(() => rmSync(note, { force: true }))
  child.unref()
  return { child, pid, ended }
}
