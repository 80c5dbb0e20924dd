/** Errands of one lane are carried one after the other, in the order in which they were committed. Lanes do not wait for each other. */
export function messageLane(errandId: string): string {
  return `message ${errandId}`
}

export function webhookLane({ scope, target }: { readonly scope: string; readonly target: string }): string {
  return `${WEBHOOK} ${scope} ${target}`
}

/** The same as `webhookLane`, as an expression of SQL over two columns. */
export function webhookLaneOf(scope: string, target: string): string {
  return `'${WEBHOOK} ' || ${scope} || ' ' || ${target}`
}

/** Where the directory has the targets of an organization's webhooks, under the organization as scope. */
export const WEBHOOK_ENTRY = { kind: 'WEBHOOK', value: '' } as const

const WEBHOOK = 'webhook'
