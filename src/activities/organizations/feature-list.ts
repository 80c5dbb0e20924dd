import { list, object, oneOf, optional, text } from '../../catalogue/shape.ts'
import { FEATURE_NAMES } from '../../charter/features.ts'

export const FEATURE_VALUE_CHARACTERS_MAX = 4096

export const featureName = oneOf(FEATURE_NAMES)

/** The features of an organization, as activities and queries answer them. */
export const featureList = list(
  object({ name: text({ max: 64 }), value: optional(text({ max: FEATURE_VALUE_CHARACTERS_MAX })) }),
  { max: FEATURE_NAMES.length },
)
