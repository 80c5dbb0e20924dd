/** What the service itself signs, encrypts and opens. */
export const SERVICE_PURPOSES = ['signer', 'session', 'otp', 'webhook', 'oauth2', 'read-session'] as const

export type ServicePurpose = (typeof SERVICE_PURPOSES)[number]

/** Clients are shown a key before it is used, and go on being shown it for as long as it verifies. */
export const SERVICE_STATES = ['published', 'used', 'verifies'] as const

export type ServiceState = (typeof SERVICE_STATES)[number]
