import { defineFeature } from '../../kernel/engine/feature.js'
import { branding as format } from './branding.js'

export type { BrandingFormat } from './branding.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    branding: typeof format
  }
}

/** The visual identity of a site. @internal */
export const branding = defineFeature({ name: 'branding', needs: ['browser'], formats: [format] })
