import { type ErrorBody, PERMISSION_DENIED } from '../../trusted/base/failure.ts'
import type { Host } from './host.ts'
import { signerOf } from './signer-of.ts'
import type { Carried } from './carried.ts'

/**
 * What the vault says of the sender, before any work is done for the request that only somebody known should cause.
 *
 * @returns  `any` for a token, which is verified with the request; `useless` for a token where none is accepted: the
 *           vault refuses the request before it looks at any row
 */
export async function senderOf(
  host: Host,
  { submission, body, stamp, clientAddress, organizationId }: Carried,
): Promise<'known' | 'any' | 'useless' | { readonly refused: ErrorBody }> {
  if (stamp.xStamp === undefined && stamp.xStampWebauthn === undefined)
    return submission.activity.attestable === true ? 'any' : 'useless'
  const asked = { body, stamp, ...(clientAddress === undefined ? {} : { clientAddress }) }
  const signer = await signerOf(host, asked, organizationId)
  if (signer.kind === 'signer') return 'known'
  // Keys for recoveries make no queries: their stamp was verified all the same.
  return signer.error.code === PERMISSION_DENIED ? 'known' : { refused: signer.error }
}
