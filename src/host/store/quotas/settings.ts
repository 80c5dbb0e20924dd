import { isPlain, optional, record, whole } from '../../../trusted/base/plain.ts'
import { assert } from '../../../trusted/base/assert.ts'
import { QUOTAS, type QuotaName, type QuotasOf } from './quota.ts'

/** All quotas, in one version. Version 0: there were never any. */
export type QuotaSettings = {
  readonly version: number
  /** By organization; `EVERY_ORGANIZATION` applies to organizations without a quota of their own. */
  readonly bySubject: ReadonlyMap<string, QuotasOf>
}

export const EVERY_ORGANIZATION = '*'

/** Every host keeps all of them in memory. */
export const SUBJECTS_MAX = 10_000

/**
 * The quotas of an organization for which nobody has set any. Without them, every user of a sub-organization could have
 * any number of messages sent to anybody.
 */
const UNSET_QUOTAS: QuotasOf = {
  messages: { most: 100_000, since: 0 },
  subOrganizationMessages: { most: 10_000, since: 0 },
}

export const NO_QUOTAS: QuotaSettings = { version: 0, bySubject: new Map() }

/** The note of the version, which every commit compares, and the note of the quotas themselves. */
export const QUOTA_VERSION_NOTE = 'quotas'
export const QUOTA_SETTINGS_NOTE = 'quota settings'

const one = optional(record({ most: whole(), since: whole(1) }))
const quotasOfOne = record({
  requests: one,
  cost: one,
  messages: one,
  subOrganizationMessages: one,
  objects: one,
  subOrganizations: one,
  storedBytes: one,
})

/** @param text  a result of `settingsText`; undefined if there is no note */
export function settingsFrom(version: string | null | undefined, text: string | undefined): QuotaSettings {
  if (version === null || version === undefined || text === undefined) return NO_QUOTAS
  const read: unknown = JSON.parse(text)
  assert(typeof read === 'object' && read !== null, 'the quotas are an object by organization')
  const bySubject = new Map<string, QuotasOf>()
  for (const [subject, quotas] of Object.entries(read)) {
    assert(isPlain(quotasOfOne, quotas), 'each quota has a number, and the version from which it counts')
    bySubject.set(subject, quotas)
  }
  return { version: Number(version), bySubject }
}

export function settingsText({ bySubject }: QuotaSettings): string {
  return JSON.stringify(Object.fromEntries(bySubject))
}

/** Its own quota, otherwise that of every organization, otherwise the one that nobody has set. */
export function quotasOf({ bySubject }: QuotaSettings, organizationId: string): QuotasOf {
  if (bySubject.size === 0) return UNSET_QUOTAS
  return { ...UNSET_QUOTAS, ...bySubject.get(EVERY_ORGANIZATION), ...bySubject.get(organizationId) }
}

/** The next settings, in which a subject has these quotas; null removes a quota, and unnamed ones stay. */
export function changedSettings(
  { version, bySubject }: QuotaSettings,
  subject: string,
  change: { readonly [Name in QuotaName]?: number | null },
): QuotaSettings {
  const next = version + 1
  const before = bySubject.get(subject) ?? {}
  const quotas = Object.fromEntries(
    QUOTAS.flatMap((name) => {
      const wanted = change[name]
      const quota = before[name]
      if (wanted === null) return []
      if (wanted === undefined) return quota === undefined ? [] : [[name, quota]]
      return [[name, { most: wanted, since: quota?.since ?? next }]]
    }),
  )
  const changed = new Map(bySubject)
  if (Object.keys(quotas).length === 0) changed.delete(subject)
  else changed.set(subject, quotas)
  return { version: next, bySubject: changed }
}
