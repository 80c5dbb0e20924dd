import type { VaultLink } from './vault-link.ts'

/** How often it is looked whether a vault answers. */
export const TICK_MS = 1_000

/** A vault that was asked and has said nothing for so long hangs. */
const HANGS_AFTER_TICKS = 30

/**
 * Counts the time of the calls to a vault.
 *
 * @param linked  the present link, where there is one
 * @param hangs   called, each second, while the vault hangs
 * @returns       ends it
 */
export function startTicking(
  linked: () => VaultLink | undefined,
  hangs: (link: VaultLink) => void,
): () => void {
  const ticking = setInterval(() => {
    const link = linked()
    link?.tick()
    if (link !== undefined && link.silentTicks() > HANGS_AFTER_TICKS) hangs(link)
  }, TICK_MS).unref()
  return () => clearInterval(ticking)
}
