/** For a terminal of the operator. What somebody puts into one is nothing that a host has made up: the number is digits. */
export function redeliverCommand(deliveryId: string): string {
  return `claviger webhooks redeliver ${deliveryId.replace(/[^0-9]/g, '')}`
}
