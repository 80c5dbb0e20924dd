import type { Answered } from '../../service/answered.ts'

/** Whether an endpoint is sent anything: it is on, and so is one of its subscriptions. */
export function hears(endpoint: Answered): boolean {
  return endpoint.flag('isActive') && endpoint.list('subscriptions').some((one) => one.flag('isActive'))
}
