import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Settings, temporaryFolder } from './running-service.ts'

export const COMPILER = '/usr/bin/gcc'

type HangingDisk = {
  readonly folder: string
  /** For the service that is to feel it. */
  readonly settings: Settings
  /** From now on what writes waits, and nothing fails. */
  readonly hang: () => void
  readonly goOn: () => void
}

/** A file system of its own that is frozen, where this process may mount one; else one whose syncs do not come back. */
export function aDiskThatHangs(t: TestContext): HangingDisk {
  return aMountedDisk(t) ?? aPatientSync()
}

const DISK_BYTES = 64 * 1024 * 1024
/** A frozen file system holds each process that touches it, also after the end of this one: it goes on by itself. */
const THAWS_AFTER_SECONDS = '170'

function aMountedDisk(t: TestContext): HangingDisk | undefined {
  const [image, folder] = ['disk', 'mounted'].map((name) => join(temporaryFolder(), name))
  if (image === undefined || folder === undefined) return undefined
  writeFileSync(image, '')
  truncateSync(image, DISK_BYTES)
  mkdirSync(folder)
  const made = [
    ['mkfs.ext4', '-q', image],
    ['mount', '-o', 'loop', image, folder],
  ].every(([command = '', ...args]) => spawnSync(command, args).status === 0)
  if (!made) return undefined
  t.after(() => execFileSync('umount', ['--lazy', folder]))
  const thaw = (): boolean => spawnSync('fsfreeze', ['--unfreeze', folder]).status === 0
  t.after(thaw)
  return {
    folder,
    settings: {},
    hang: () => {
      const guard = ['sleep "$1"; fsfreeze --unfreeze "$2"', 'guard', THAWS_AFTER_SECONDS, folder]
      spawn('sh', ['-c', ...guard], { detached: true, stdio: 'ignore' }).unref()
      execFileSync('fsfreeze', ['--freeze', folder])
    },
    goOn: () => execFileSync('fsfreeze', ['--unfreeze', folder]),
  }
}

/** One whose syncs do not come back until it goes on; what waits for one may be killed. */
export function aPatientSync(): HangingDisk {
  const folder = temporaryFolder()
  const hanging = join(folder, 'hanging')
  const waits = `while (access(${JSON.stringify(hanging)}, F_OK) == 0) usleep(10000);`
  return {
    folder,
    settings: { LD_PRELOAD: syncsThat(waits) },
    hang: () => writeFileSync(hanging, ''),
    goOn: () => rmSync(hanging),
  }
}

/** A library under which each sync does this first, in C. */
export function syncsThat(first: string): string {
  const folder = temporaryFolder()
  const [source, library] = ['fsync.c', 'fsync.so'].map((name) => join(folder, name))
  if (source === undefined || library === undefined) throw new Error('two names are two paths')
  const call = (name: string): string => `int ${name}(int fd) { ${first} return syscall(SYS_${name}, fd); }`
  const headers = ['unistd.h', 'errno.h', 'sys/syscall.h'].map((name) => `#include <${name}>`)
  writeFileSync(source, [...headers, call('fsync'), call('fdatasync'), ''].join('\n'))
  execFileSync(COMPILER, ['-shared', '-fPIC', '-o', library, source])
  return library
}
