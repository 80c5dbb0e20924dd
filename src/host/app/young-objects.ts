import { setFlagsFromString } from 'node:v8'

/**
 * Objects of requests begin among the young ones. Where many of a kind outlive a collection, V8 would place all later
 * ones among the old at once. An old object is collected late, and until then it holds what it points to: in two of
 * seven starts a twelfth of what requests allocated grew old. See docs/decisions/performance.md.
 */
export function beginYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
