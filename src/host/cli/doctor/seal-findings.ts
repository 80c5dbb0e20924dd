import type { SealEntry } from '../../../trusted/vault/keys/sealed-file.ts'
import { isByPeople, isRecovery, neededKeys } from '../../../trusted/vault/keys/needed-keys.ts'
import { privateText } from '../../../trusted/vault/keys/private-text.ts'
import type { Config } from '../../app/config.ts'
import { sealSettings } from '../../app/seal-settings.ts'
import { triedSeal } from '../tried-seal.ts'
import type { Finding } from './finding.ts'

type SealFinding = Finding & {
  readonly outcome: 'opens' | 'unset' | 'unsafe' | 'fails' | 'people' | 'recovery'
}

/**
 * Whether each seal of the root key file opens it on this machine. A start needs only one seal, so without this check
 * the loss of another seal would stay unnoticed. Each seal is tried in a process of its own, as the vault does. No key
 * leaves that process.
 */
export async function sealFindings(config: Config): Promise<readonly SealFinding[]> {
  const { seals } = neededKeys(privateText(config.rootKeyPath, 'root key file', config.rootKeyReaders))
  const findings: SealFinding[] = []
  for (const [place, entry] of seals.entries()) findings.push(await findingOf(config, place, entry))
  return findings
}

/** The reason not to start the vault, which would try the seals once more; undefined if it is started. */
export function whyNotOpened(findings: readonly SealFinding[]): Finding | undefined {
  const outcomes = findings.map(({ outcome }) => outcome)
  if (outcomes.includes('unsafe'))
    return { mark: '!!', text: 'the vault was not started, because it would try that seal once more' }
  return outcomes.includes('opens') || !outcomes.includes('people')
    ? undefined
    : { mark: 'ok', text: 'the vault was not started, because it would wait for people: claviger unseal' }
}

async function findingOf(config: Config, place: number, entry: SealEntry): Promise<SealFinding> {
  const name = `seal ${entry.seal}`
  if (isRecovery(entry))
    return { mark: 'ok', text: `${name} is for claviger recovery, and was not tried`, outcome: 'recovery' }
  if (isByPeople(entry))
    return { mark: 'ok', text: `${name} is opened by people, and was not tried`, outcome: 'people' }
  const { outcome, because } = await triedSeal(sealSettings(config, process.env), place)
  switch (outcome) {
    case 'opens':
      return { mark: 'ok', text: `${name} opens the root key file`, outcome }
    case 'unset':
      return { mark: 'ok', text: `${name} is not set up here, and was not tried: ${because}`, outcome }
    case 'unsafe':
      return { mark: '!!', text: `${name} is not tried any more: ${because}`, outcome }
    case 'fails':
      return { mark: '!!', text: `${name} does not open the root key file: ${because}`, outcome }
  }
}
