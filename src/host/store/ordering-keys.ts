/**
 * Jobs of one ordering key are carried out one after the other, in the order of their commits. Different ordering keys
 * do not wait for each other.
 */
export function messageOrderingKey(jobId: string): string {
  return `message ${jobId}`
}

export function webhookOrderingKey({
  scope,
  target,
}: {
  readonly scope: string
  readonly target: string
}): string {
  return `${WEBHOOK} ${scope} ${target}`
}

/** The same as `webhookOrderingKey`, as an SQL expression over two columns. */
export function webhookOrderingKeyOf(scope: string, target: string): string {
  return `'${WEBHOOK} ' || ${scope} || ' ' || ${target}`
}

/**
 * The kind of the directory entries with the targets of an organization's webhooks; their scope is the organization.
 */
export const WEBHOOK_ENTRY = { kind: 'WEBHOOK', value: '' } as const

const WEBHOOK = 'webhook'
