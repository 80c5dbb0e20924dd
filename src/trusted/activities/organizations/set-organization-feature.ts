import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, otherwise, text } from '../../catalogue/shape.ts'
import {
  checkFeature,
  featureNotBuilt,
  invalidFeatureValue,
  featuresApart,
  withFeature,
} from '../../charter/features.ts'
import { checkListsAudiences, onlyParentsListAudiences } from '../../charter/identity-audiences.ts'
import { ANY_SERVICE } from '../../charter/webhooks.ts'
import { memberFailures } from '../../charter/members.ts'
import {
  completedAttempt,
  keysOfRecovery,
  RECOVERY_ATTEMPT_FEATURE,
  RECOVERY_FEATURE,
  withoutRecovery,
} from '../../charter/organization-recovery.ts'
import type { ApiKeyParams } from '../credentials/api-key-params.ts'
import { apiKeyIsHeld, checkHeldElsewhere, heldKeyNeeds } from '../credentials/held-keys.ts'
import { checkNewSet, recoveryFailures, recoveryStep } from './organization-recovery.ts'
import { FEATURE_VALUE_CHARACTERS_MAX, featureLists, featureName } from './feature-list.ts'

/** An empty value counts as absent: some published clients cannot omit it, and others expect it in the record. */
const value = otherwise(text({ max: FEATURE_VALUE_CHARACTERS_MAX }), '')
const intent = object({ name: featureName, value })

export const setOrganizationFeature = defineActivity({
  operation: 'set_organization_feature',
  summary: 'Enable a feature of the organization, or change its value',
  forms: form('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', intent, {
    key: 'setOrganizationFeatureResult',
    shape: object(featureLists),
  }),
  resource: 'ORGANIZATION',
  action: 'UPDATE',
  authority: {
    kind: 'rootQuorum',
    askedOf: ({ name }) => (name === RECOVERY_ATTEMPT_FEATURE ? 'recoverySet' : 'rootQuorum'),
  },
  amends: true,
  writesToRoots: (asked) => {
    if (asked.name !== RECOVERY_ATTEMPT_FEATURE) return undefined
    return completedAttempt(asked) === undefined ? 'asMailboxesTake' : 'inAnyCase'
  },
  fails: [
    featureNotBuilt,
    invalidFeatureValue,
    onlyParentsListAudiences,
    apiKeyIsHeld,
    ...recoveryFailures,
    ...memberFailures,
  ],
  example: {
    intent: { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' },
    result: { features: [{ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' }] },
  },
  validate: ({ name, value }) => checkFeature(name, value, ANY_SERVICE),

  needs: ({ name, value }) => heldKeyNeeds(recoveryKeys(name, value)),

  async execute({ intent: { name, value }, charter, rows, now, newId, service, work }) {
    checkFeature(name, value, service.targets)
    checkListsAudiences(charter, name)
    checkHeldElsewhere(recoveryKeys(name, value), rows)
    if (name === RECOVERY_ATTEMPT_FEATURE) {
      const stepped = await work.through(recoveryStep(value, { charter, now, newId }))
      return { result: featuresApart(stepped.charter.features), ...stepped }
    }
    if (name === RECOVERY_FEATURE) checkNewSet(charter, value)
    const before = name === RECOVERY_FEATURE ? withoutRecovery(charter) : charter
    const amended = withFeature(before, value === '' ? { name } : { name, value })
    return { result: featuresApart(amended.features), charter: amended }
  },
})

/**
 * The keys of the feature, checked like API keys: they must not be keys that the organization holds, because any user
 * who may sign with such a key could recover the organization.
 */
function recoveryKeys(name: string, value: string): readonly ApiKeyParams[] {
  return keysOfRecovery(name, value).map((publicKey) => ({
    apiKeyName: '',
    publicKey,
    curveType: 'API_KEY_CURVE_P256',
  }))
}
