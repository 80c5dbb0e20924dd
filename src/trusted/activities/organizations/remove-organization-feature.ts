import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object } from '../../catalogue/shape.ts'
import { featuresApart, withoutFeature } from '../../charter/features.ts'
import { checkQuorumWayIn, userWithoutCredential } from '../../charter/ways-in.ts'
import {
  RECOVERY_ATTEMPT_FEATURE,
  RECOVERY_FEATURE,
  withoutRecovery,
} from '../../charter/organization-recovery.ts'
import { stopped } from './organization-recovery.ts'
import { featureLists, featureName } from './feature-list.ts'

/**
 * Users who could log in only through the feature stay, and cannot log in until they have another credential; the root
 * quorum must keep a way to log in.
 */
export const removeOrganizationFeature = defineActivity({
  operation: 'remove_organization_feature',
  summary: 'Disable a feature of the organization',
  forms: form('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', object({ name: featureName }), {
    key: 'removeOrganizationFeatureResult',
    shape: object(featureLists),
  }),
  resource: 'ORGANIZATION',
  action: 'UPDATE',
  authority: {
    kind: 'rootQuorum',
    askedOf: ({ name }) => (name === RECOVERY_ATTEMPT_FEATURE ? 'anyRootUser' : 'rootQuorum'),
  },
  amends: true,
  // The mail limit of a mailbox must not prevent stopping an attempt.
  writesToRoots: ({ name }) => (name === RECOVERY_ATTEMPT_FEATURE ? 'inAnyCase' : undefined),
  fails: [userWithoutCredential],
  example: {
    intent: { name: 'FEATURE_NAME_EMAIL_AUTH' },
    result: { features: [{ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' }] },
  },

  execute({ intent: { name }, charter, now }) {
    if (name === RECOVERY_ATTEMPT_FEATURE) {
      const ended = stopped(charter)
      return { result: featuresApart(ended.charter.features), ...ended }
    }
    const amended = name === RECOVERY_FEATURE ? withoutRecovery(charter) : withoutFeature(charter, name)
    checkQuorumWayIn(charter, amended, now)
    return { result: featuresApart(amended.features), charter: amended }
  },
})
