import type { Ms } from '../../trusted/base/world.ts'
import { maxOtpInitiated } from '../../trusted/objects/request-rate.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import type { Host } from '../pipeline/host.ts'
import type { AuthProxyConfig } from './config.ts'
import { DayBounds } from './day-bounds.ts'
import { tooManyCodes } from './failures.ts'

const SOON_MS: Ms = 180_000
/** A tenth of the messages that the parent may send in a day; in a small quota, those of a few persons more. */
const SHARE_OF_NETWORK = 0.1
const LEAST_OF_NETWORK = 100

/**
 * The codes that strangers may ask for. For all contacts together, because one network must not be able to send
 * messages to arbitrary people, or to use up the messages of a day that the parent may send. The last of these are not
 * for strangers at all: with them, the parent itself goes on.
 */
export class CodeBounds {
  readonly #config: AuthProxyConfig
  readonly #host: Pick<Host, 'store' | 'world'>
  readonly #soon: TokenBuckets
  readonly #today: DayBounds

  constructor(config: AuthProxyConfig, host: Pick<Host, 'store' | 'world'>) {
    const { codesPerNetwork: amount } = config.otp
    this.#config = config
    this.#host = host
    this.#soon = new TokenBuckets({ amount, periodMs: SOON_MS, burst: amount }, host.world)
    this.#today = new DayBounds(tooManyCodes, host.world.now)
  }

  /** Counts a code for this network. @throws Failure `maxOtpInitiated`, `tooManyCodes` */
  async take(network: string): Promise<void> {
    if (!this.#soon.has(network)) throw maxOtpInitiated()
    this.#soon.take(network)
    const { organizationId, otp } = this.#config
    const uses = await this.#host.store.quotas.uses(organizationId, this.#host.world.now())
    // Absent until the first message, if nobody has set the quota.
    const { most, used } = uses.find(({ quota }) => quota === 'messages') ?? ENDLESS
    if (used >= Math.ceil((most * otp.percentOfMessages) / 100)) throw tooManyCodes()
    const share = Math.max(LEAST_OF_NETWORK, Math.floor(most * SHARE_OF_NETWORK))
    this.#today.take(network, { perNetwork: otp.codesPerNetworkInDay ?? share })
  }
}

const ENDLESS = { most: Number.POSITIVE_INFINITY, used: 0 }
