/** Heard by every other tab of this console in the same browser (HTML, 9.5). */
const tabs = new BroadcastChannel('claviger')

export function tellSignedOut(): void {
  tabs.postMessage('signed out')
}

/** @returns  ends the listening */
export function onSignedOutElsewhere(act: () => void): () => void {
  tabs.addEventListener('message', act)
  return () => tabs.removeEventListener('message', act)
}
