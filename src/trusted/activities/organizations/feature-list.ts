import { list, object, oneOf, optional, type Shape, text } from '../../catalogue/shape.ts'
import { type FeatureName, PUBLISHED_FEATURES, SERVICE_FEATURES } from '../../charter/features.ts'

export const FEATURE_VALUE_CHARACTERS_MAX = 4096

const published = oneOf(PUBLISHED_FEATURES)
const ofService = oneOf(SERVICE_FEATURES)

/** Features of this service alone are accepted too, but listed separately from the published ones. */
export const featureName: Shape<FeatureName> = {
  read: oneOf([...PUBLISHED_FEATURES, ...SERVICE_FEATURES]).read,
  schema: { anyOf: [published.schema, ofService.schema] },
}

const features = list(
  object({ name: text({ max: 64 }), value: optional(text({ max: FEATURE_VALUE_CHARACTERS_MAX })) }),
  { max: PUBLISHED_FEATURES.length + SERVICE_FEATURES.length },
)

/** The features of an organization in answers; `serviceFeatures` are those of this service alone. */
export const featureLists = { features, serviceFeatures: optional(features) }
