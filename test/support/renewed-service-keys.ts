import { Secret } from '../../src/trusted/base/secret.ts'
import { SERVICE_PURPOSES, serviceTerms } from '../../src/trusted/catalogue/service-purposes.ts'
import { generateP256Secret } from '../../src/trusted/crypto/p256.ts'
import { serviceKeysIn } from '../../src/trusted/vault/keys/keyring.ts'
import type { ServiceKey } from '../../src/trusted/vault/keys/service-secrets.ts'
import type { TestService } from './service.ts'

/** The bytes of the first version of the root key, as a thief has them. */
export const stolen = { version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }
export const second = { version: 2, secret: new Secret(new Uint8Array(32).fill(8)) }
const derived = serviceKeysIn({ versions: [stolen], seals: 1, service: [] })

/** The keys of the file after `use` of each: version 2 is used, version 1 verifies for its time. */
export function renewed({ keyring, world }: Pick<TestService, 'keyring' | 'world'>): readonly ServiceKey[] {
  const now = world.now()
  const fresh = SERVICE_PURPOSES.map(
    (purpose): ServiceKey => ({
      purpose,
      version: 2,
      state: 'used',
      since: now,
      secret: new Secret(generateP256Secret(world.randomBytes)),
    }),
  )
  const published = fresh.map((key) => ({ ...key, state: 'published' as const }))
  keyring.adopt({ versions: [stolen, second], seals: 2, service: [...derived, ...published] })
  const ending = derived.map((key) => ({
    ...key,
    state: 'verifies' as const,
    until: now + serviceTerms[key.purpose].verifiesMs,
  }))
  keyring.adopt({ versions: [stolen, second], seals: 2, service: [...ending, ...fresh] })
  return fresh
}
