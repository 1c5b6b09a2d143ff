import { defineFeature } from '../../kernel/engine/feature.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import { adoptFeatures } from './adopt-features.js'

export type { OwnFeature } from './own-feature.js'

/** Features of the caller. @internal */
export const ownFeatures = defineFeature({
  name: 'own-features',
  options: {
    engine: {
      features: {
        schema: (z) => z.custom<readonly unknown[]>(Array.isArray, mustBe('a list of features')).optional(),
        help: false,
        follows: 'now',
      },
    },
  },
  adopt: adoptFeatures,
})
