import type { PlainOf } from '../../trusted/base/plain.ts'
import { JsonLines } from '../../trusted/base/json-lines.ts'
import type { Secret } from '../../trusted/base/secret.ts'
import type { SealMeans } from '../seal.ts'
import { collectShares, type Purpose } from './collect-shares.ts'
import { type shamirEntry, shareTrouble } from './share-set.ts'
import { loadSlip39 } from './slip39.ts'

const FORGET_MS = 15 * 60_000

/**
 * Waits at the socket of `claviger unseal` until enough shares of a set were given.
 *
 * @param boundTo  the value to which the digests of the shares are bound
 * @returns        the shares as mnemonics, and the restored secret
 * @throws RootKeyError
 */
export async function givenShares(
  entry: Pick<PlainOf<typeof shamirEntry>, 'threshold' | 'begins' | 'shares'>,
  {
    boundTo,
    purpose,
    environment,
  }: { readonly boundTo: string; readonly purpose: Purpose } & Pick<SealMeans, 'environment'>,
): Promise<{ readonly shares: readonly string[]; readonly secret: Secret }> {
  const { isShare, combined } = await loadSlip39()
  const path = environment['CLAVIGER_UNSEAL_SOCKET'] ?? ''
  const shares = await collectShares({
    path,
    forGroup: environment['CLAVIGER_UNSEAL_PEOPLE'] === 'group',
    needed: entry.threshold,
    purpose,
    trouble: (share, given) => shareTrouble(share, { entry, file: boundTo, given, isShare }),
    forgetMs: FORGET_MS,
    onListening: () => {
      const waits = `${WAITING[purpose]} waits for ${entry.threshold} shares at ${path}: claviger unseal`
      // The host passes on only this line.
      process.stderr.write(JsonLines.written({ waits }))
    },
  })
  return { shares, secret: combined(shares) }
}

const WAITING: { readonly [P in Purpose]: string } = {
  open: 'The root key',
  rehearse: 'A rehearsal of the recovery',
  recover: 'The recovery of the root key',
  begin: 'The begin of the recovery of an organization',
  complete: 'The end of the recovery of an organization',
}
