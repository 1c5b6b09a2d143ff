import { definePageFunctions } from '../../browser/injected/page-functions.js'
import type { BrandSample, ComputedStyleSample } from './branding-samples.js'
import sources from './page-functions.json' with { type: 'json' }

/** The functions of this folder, by name. */
export interface BrandingFunctions {
  sampleBrand(question: { maxDrawing: number }): BrandSample
  sampleComputedStyles(question: { maxElements: number; maxItems: number }): ComputedStyleSample
}

export const pageFunction = definePageFunctions<BrandingFunctions>(sources)
