/**
 * Jobs of one ordering key are carried one after the other, in the order in which they were committed. Ordering keys do
 * not wait for each other.
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

/** The same as `webhookOrderingKey`, as an expression of SQL over two columns. */
export function webhookOrderingKeyOf(scope: string, target: string): string {
  return `'${WEBHOOK} ' || ${scope} || ' ' || ${target}`
}

/** Where the directory has the targets of an organization's webhooks, under the organization as scope. */
export const WEBHOOK_ENTRY = { kind: 'WEBHOOK', value: '' } as const

const WEBHOOK = 'webhook'
