import { constants, setPriority } from 'node:os'

/**
 * Lets a running service go first on a busy machine: this process, and each that it starts from now on, has the nice
 * value 10 (setpriority(2)). For commands that read all rows while the service may run.
 */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may forbid the call, and a copy that competes with the service is better than none.
  }
}
