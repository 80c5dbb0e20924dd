/** Resolves in the next turn of the event loop, after events that arrived in the meantime. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
