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
import { FEATURE_VALUE_CHARACTERS_MAX, featureLists, featureName } from './feature-list.ts'

/** An empty value is none: some published clients cannot leave it out, and others want it in the record. */
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
  authority: { kind: 'rootQuorum' },
  amends: true,
  fails: [featureNotBuilt, invalidFeatureValue, onlyParentsListAudiences],
  example: {
    intent: { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' },
    result: { features: [{ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' }] },
  },
  validate: ({ name, value }) => checkFeature(name, value, ANY_SERVICE),

  execute({ intent: { name, value }, charter, service }) {
    checkFeature(name, value, service.targets)
    checkListsAudiences(charter, name)
    const amended = withFeature(charter, value === '' ? { name } : { name, value })
    return { result: featuresApart(amended.features), charter: amended }
  },
})
