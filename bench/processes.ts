import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of CPU that a process and its descendants have used, in the threads that live. */
export function cpuSeconds(pid: number): number {
  return tree(pid).reduce((sum, item) => sum + ownCpuSeconds(item), 0)
}

/** Resident memory of a process and its descendants, in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = tree(pid).map((item) =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${item}/status`))?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, kilobyte) => sum + kilobyte, 0) / 1024
}

function tree(pid: number): readonly number[] {
  const parents = new Map(pids().map((pid) => [pid, Number(fieldsOf(pid)[1])]))
  const found = [pid]
  for (const item of found) for (const [child, parent] of parents) if (parent === item) found.push(child)
  return found
}

function pids(): readonly number[] {
  return names('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** By the clock of the scheduler, in nanoseconds: that of /proc/pid/stat goes in steps of 10 ms. */
function ownCpuSeconds(pid: number): number {
  const threads = names(`/proc/${pid}/task`).map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
  )
  return threads.reduce((sum, thread) => sum + thread, 0) / 1e9
}

/** The fields of /proc/pid/stat after the name, which may hold spaces. */
function fieldsOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** None where there is no such folder any more. */
function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
