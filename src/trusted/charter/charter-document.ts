import { Bug } from '../base/assert.ts'
import type { Charter } from './charter.ts'

type Stored = { readonly [name: string]: unknown }

/**
 * One step for each format, from the one before it: a charter is stored with the number of its format, and is read by
 * the steps that it still needs. A field that is added to `Charter` gets a step, which gives its value for charters
 * that were stored before, and a golden file of the new format (`test/charters/charter-formats.test.ts`). A step stands
 * on its own and is never changed.
 */
const UPGRADES: readonly ((stored: Stored) => Stored)[] = [
  fromUnnumbered,
  withWalletAuthenticators,
  withVelocityControls,
]

export const CHARTER_FORMAT = UPGRADES.length

export function writeCharter(charter: Charter): string {
  return JSON.stringify({ format: CHARTER_FORMAT, ...charter })
}

/** Reads a charter that this version or an earlier one stored. An earlier one lacks the fields that came later. */
export function readCharter(body: string): Charter {
  // Its seal says that the vault wrote it, which wrote a number from the first numbered format on.
  const { format = 0, ...stored } = JSON.parse(body) as Stored & { readonly format?: number }
  if (!Number.isSafeInteger(format) || format < 0 || format > CHARTER_FORMAT)
    throw new Bug(
      `a charter is stored in format ${format}, and this version knows none above ${CHARTER_FORMAT}`,
    )
  // By now it has all that this version writes, and the vault has never written another shape.
  return UPGRADES.slice(format).reduce((older, upgrade) => upgrade(older), stored) as Stored as Charter
}

/** Before formats had numbers, fields came and went unmarked: a missing field did not exist yet. */
function fromUnnumbered(stored: Stored): Stored {
  const users = stored['users'] as readonly Stored[]
  return {
    features: [],
    tags: [],
    policies: [],
    invitations: [],
    sessionProfiles: [],
    oauth2Credentials: [],
    webhookEndpoints: [],
    ipAllowlists: [],
    contractInterfaces: [],
    ...stored,
    users: users.map((user) => ({
      emailVerified: false,
      phoneNumberVerified: false,
      userTags: [],
      apiKeys: [],
      authenticators: [],
      oauthProviders: [],
      mfaPolicies: [],
      ...user,
    })),
  }
}

/** Format 1 knew no wallets as a way in. */
function withWalletAuthenticators(stored: Stored): Stored {
  const users = stored['users'] as readonly Stored[] // as every format has them
  return { ...stored, users: users.map((user) => ({ ...user, walletAuthenticators: [] })) }
}

/** Format 2 knew no velocity controls. */
function withVelocityControls(stored: Stored): Stored {
  return { ...stored, velocityControls: [] }
}
