let channel: BroadcastChannel | undefined

/**
 * Heard by every other tab of this console in the same browser (HTML, 9.5): its only message says that somebody has
 * signed out. It is opened by its first use: an open channel would keep a program running that only loads this module,
 * as tests of readers do.
 */
function tabs(): BroadcastChannel {
  channel ??= new BroadcastChannel('claviger')
  return channel
}

export function tellSignedOut(): void {
  localStorage.setItem(PLACE, crypto.randomUUID())
  tabs().postMessage('')
}

/**
 * Another one after each sign-out in this browser. A tab that shows another page meanwhile, or is opened again after it
 * was closed, hears of no sign-out, and browsers give it back what it had stored.
 */
export function lastSignOut(): string | null {
  return localStorage.getItem(PLACE)
}

const PLACE = 'claviger.signed-out'

/** @returns  ends the listening */
export function onSignedOutElsewhere(act: () => void): () => void {
  tabs().addEventListener('message', act)
  return () => tabs().removeEventListener('message', act)
}
