import type { Holding } from '../../../parts/holdings.ts'
import type { Receiver, Wanted } from '../../../readers/bundles.ts'
import { toHex } from '../../../service/bytes.ts'
import type { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'

/** An export that was asked for. Its key is in this tab alone, so what comes late is opened here or nowhere. */
export type Asked = {
  readonly activity: Answered
  readonly receiver: Receiver
  readonly wanted: Wanted
  readonly result: string
}

const KINDS = {
  wallet: { type: 'ACTIVITY_TYPE_EXPORT_WALLET', result: 'exportWalletResult' },
  account: { type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', result: 'exportWalletAccountResult' },
  privateKey: { type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', result: 'exportPrivateKeyResult' },
} as const

/** The key is made anew each time: no bundle that was made before opens with it. */
export async function askExport(session: Session, what: Holding, keyFormat: string): Promise<Asked> {
  const { kind, parameters, address } = what
  const { newReceiver } = await import('../../../readers/bundles.ts')
  const receiver = await newReceiver()
  const { type, result } = KINDS[kind]
  const activity = await session.submit(type, { ...parameters, targetPublicKey: toHex(receiver.publicKey) })
  const wanted: Wanted =
    kind === 'wallet'
      ? { kind }
      : { kind: 'privateKey', keyFormat, ...(address === undefined ? {} : { address }) }
  return { activity, receiver, wanted, result }
}

/** The same, as it stands now. */
export async function lookedAgain(session: Session, asked: Asked): Promise<Asked> {
  const answer = await session.query('get_activity', { activityId: asked.activity.text('id') })
  return { ...asked, activity: answer.object('activity') }
}

/**
 * The secret in clear; undefined while others have to agree.
 *
 * @throws Failure `badBundle`, `badKey`, `wrongAddress` for what is not from the vault, or not what was asked for
 */
export async function opened(
  { activity, receiver, wanted, result }: Asked,
  expected: { readonly signerKey: string; readonly organizationId: string },
): Promise<string | undefined> {
  if (activity.text('status') !== 'ACTIVITY_STATUS_COMPLETED') return undefined
  const bundle = activity.object('result').object(result).text('exportBundle')
  const { openedExport } = await import('../../../readers/bundles.ts')
  return await openedExport(bundle, expected, { receiver, wanted })
}
