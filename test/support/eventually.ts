// For what hangs: a busy machine may take long, and nothing is said here about how long anything should take.
const HANGS_AFTER_MS = 180_000
const POLL_EVERY_MS = 20

/** Asks again until it is so, of something that happens in another process. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  failure: () => string = () => 'it did not come to that',
): Promise<void> {
  const deadline = Date.now() + HANGS_AFTER_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(failure())
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
  }
}
