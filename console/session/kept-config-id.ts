const PLACE = 'claviger.auth-proxy'

/** The configuration of the auth proxy that was used last in this browser; empty where there was none. It is public. */
export function keptConfigId(): string {
  return localStorage.getItem(PLACE) ?? ''
}

export function keepConfigId(configId: string): void {
  localStorage.setItem(PLACE, configId)
}
