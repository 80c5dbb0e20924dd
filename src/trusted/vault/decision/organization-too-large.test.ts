import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../../test/charters/filled-charter.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { createUserTag } from '../../activities/users/create-user-tag.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { Charter } from '../../charter/charter.ts'
import { writeCharter } from '../../charter/charter-document.ts'
import { carryOut } from './carry-out.ts'
import { CHARTER_CHARACTERS_MAX } from '../failures.ts'
import { openKeyring } from '../keys/keyring.ts'
import { openService } from '../keys/service-keys.ts'

const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

/** An organization with so many characters in its name, and little else. */
function named(characters: number): Charter {
  return { ...filledCharter, organizationName: 'x'.repeat(characters) }
}

async function amended(before: Charter, after: Charter): Promise<number> {
  const { changes } = await carryOut(
    { keyring, randomBytes: testWorld().randomBytes, service: openService(keyring) },
    {
      activity: { ...createUserTag, execute: async () => ({ result: {}, charter: after }) },
      intent: {},
      charter: before,
      parent: undefined,
      guarded: [before],
      rows: { gathered: {}, all: [], wipe: () => {} },
      prepared: undefined,
      verified: undefined,
      requester: {
        userId: before.users[0]?.userId ?? '',
        organizationId: before.organizationId,
        credentialType: '',
        credentialId: '',
      },
      now: 0,
      waitedSince: undefined,
      held: [],
      work: workAlone(),
    },
  )
  return changes.charters[0]?.body.length ?? 0
}

test('an organization grows to a bound, which an error names', async () => {
  const little = await amended(named(10), named(10))
  const room = CHARTER_CHARACTERS_MAX - little
  assert.equal(await amended(named(10), named(10 + room)), CHARTER_CHARACTERS_MAX)
  await assert.rejects(
    amended(named(10), named(11 + room)),
    /organization has exceeded its maximum size: .* would have 6291457 characters, of at most 6291456; delete some/,
  )
})

test('an organization that was larger before there was a bound may shrink or stay, and does not grow', async () => {
  const characters = CHARTER_CHARACTERS_MAX + 1_000
  const large = named(characters)
  assert.ok((await amended(large, named(characters - 100))) > CHARTER_CHARACTERS_MAX)
  const size = writeCharter(large).length
  // The time of the amendment is shorter than that of before.
  const room = size - (await amended(large, large))
  assert.equal(await amended(large, named(characters + room)), size)
  await assert.rejects(amended(large, named(characters + room + 1)), /maximum size/)
})
