/** How often it is looked whether a vault answers. */
export const TICK_MS = 1_000

/** A vault that was asked and has said nothing for so long hangs. */
export const HANGS_AFTER_TICKS = 30
