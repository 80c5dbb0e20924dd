import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Seconds of CPU that a process and its descendants have used, living ones only. */
export function cpuSeconds(pid: number): number {
  return tree(pid).reduce((sum, one) => sum + ownCpuSeconds(one), 0)
}

/** Resident memory of a process and its descendants, in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = tree(pid).map((one) =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}

function tree(pid: number): readonly number[] {
  const parents = new Map(pids().map((one) => [one, Number(fieldsOf(one)[1])]))
  const found = [pid]
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child)
  return found
}

function pids(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

function ownCpuSeconds(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
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
