import type { ObjectKind } from '../catalogue/objects.ts'
import { contractInterfaces } from './contract-interface.ts'
import { emailEvents } from './email-event.ts'
import { importTargets, walletImportTargets } from './import-target.ts'
import { otpContacts } from './otp-contact.ts'
import { policyTexts } from './policy-text.ts'
import { privateKeys } from './private-key.ts'
import { otpRequests } from './request-rate.ts'
import { secrets } from './secret.ts'
import { secretTargets } from './secret-target.ts'
import { textEvents } from './text-event.ts'
import { usageMeters } from './usage-meter.ts'
import { usedNonces } from './used-nonce.ts'
import { usedTokens } from './used-token.ts'
import { wallets } from './wallet.ts'
import { walletAccounts } from './wallet-account.ts'

/** Every kind of object, by its name in the rows. */
export const objectKinds: ReadonlyMap<string, ObjectKind<unknown>> = new Map(
  [
    contractInterfaces,
    emailEvents,
    importTargets,
    otpContacts,
    otpRequests,
    policyTexts,
    privateKeys,
    secretTargets,
    secrets,
    textEvents,
    usageMeters,
    usedNonces,
    usedTokens,
    walletAccounts,
    walletImportTargets,
    wallets,
    // A kind computes only from bodies that it has parsed itself.
  ].map((kind) => [kind.kind, kind as ObjectKind<unknown>]),
)
