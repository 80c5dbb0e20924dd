import { isStoreOutage } from '../outage.ts'

/** On a full or failing disk the log keeps its content, and the next checkpoint continues. */
export function whereItCan(checkpoint: () => void): void {
  try {
    checkpoint()
  } catch (error) {
    if (!isStoreOutage(error)) throw error
  }
}
