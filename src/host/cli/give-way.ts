import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets a running service go first on a busy machine: this process, and each that it starts from now on, has the nice
 * value 10. For commands that read all rows while the service may run.
 */
export function giveWay(): void {
  for (const thread of ownThreads())
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // A sandbox may forbid the call, and a copy that competes with the service is better than none.
    }
}

/** On Linux each thread has a nice value of its own, as those of the garbage collector do (setpriority(2)). */
function ownThreads(): readonly number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid]
}
