import { nextAccount } from '../../../parts/derivations.ts'
import type { Typed } from '../../../readers/bundles.ts'
import type { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'

const KINDS = {
  wallet: { init: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', result: 'initImportWalletResult' },
  privateKey: { init: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', result: 'initImportPrivateKeyResult' },
} as const

type Import = {
  readonly signerKey: string
  readonly name: string
  /** Of the one account, or of the key. */
  readonly addressFormat: string
  readonly typed: Typed
}

/**
 * Asks the vault for a key to encrypt to, and sends what was typed under it; nothing is asked for a text that is no
 * key.
 *
 * @returns the activity that imports, or the first one where it did not come to an end
 * @throws  Failure `badBundle`, `badKey`
 */
export async function imported(session: Session, wish: Import): Promise<Answered> {
  const { encryptedTo, typedBytes } = await import('../../../readers/bundles.ts')
  const plaintext = typedBytes(wish.typed)
  try {
    return await submitted(session, wish, async (bundle) => {
      const { organizationId, userId } = session
      return await encryptedTo(bundle, { signerKey: wish.signerKey, organizationId, userId }, plaintext)
    })
  } finally {
    plaintext.fill(0)
  }
}

async function submitted(
  session: Session,
  { name, addressFormat, typed }: Import,
  encrypted: (bundle: string) => Promise<string>,
): Promise<Answered> {
  const { userId } = session
  const { init, result } = KINDS[typed.kind]
  const begun = await session.submit(init, { userId })
  if (begun.text('status') !== 'ACTIVITY_STATUS_COMPLETED') return begun
  const encryptedBundle = await encrypted(begun.object('result').object(result).text('importBundle'))
  const account = nextAccount(addressFormat, new Set())
  return await (typed.kind === 'wallet'
    ? session.submit('ACTIVITY_TYPE_IMPORT_WALLET', {
        userId,
        walletName: name,
        encryptedBundle,
        accounts: [account],
      })
    : session.submit('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
        userId,
        privateKeyName: name,
        encryptedBundle,
        curve: account.curve,
        addressFormats: [addressFormat],
      }))
}
