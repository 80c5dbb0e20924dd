import { Counts } from '../../outside/counts.ts'
import { tooManyStreams } from './failures.ts'

/** Who has opened a stream. `tenant` is the top-level organization. */
export type StreamOwner = {
  readonly userId: string
  readonly organizationId: string
  readonly tenant: string
}

const USER_MAX = 4
const ORGANIZATION_MAX = 32
const TENANT_MAX = 64
const HOST_MAX = 256

/**
 * The numbers of open streams by owner. A tenant includes its sub-organizations, because it can create any number of
 * them.
 */
export class StreamCounts {
  readonly #counts = new Counts()

  /**
   * @returns  a function to call once, when the stream has ended
   * @throws Failure `tooManyStreams`
   */
  take({ userId, organizationId, tenant }: StreamOwner): () => void {
    const bounds = [
      { name: `user ${userId}`, whose: 'a user', max: USER_MAX },
      {
        name: `organization ${organizationId}`,
        whose: 'the users of an organization',
        max: ORGANIZATION_MAX,
      },
      { name: `tenant ${tenant}`, whose: 'an organization and its sub-organizations', max: TENANT_MAX },
      { name: 'host', whose: 'all organizations of a host', max: HOST_MAX },
    ]
    for (const { name, whose, max } of bounds)
      if (this.#counts.of(name) >= max) throw tooManyStreams({ whose, max })
    for (const { name } of bounds) this.#counts.add(name, 1)
    return () => {
      for (const { name } of bounds) this.#counts.add(name, -1)
    }
  }
}
