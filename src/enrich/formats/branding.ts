import { TrawlError } from '../../errors.js'
import type { Branding } from '../../fetch/branding.js'
import type { EnrichFormat } from '../format.js'

/** The look of the site: colours, fonts, logo and components. */
export interface BrandingFormat {
  type: 'branding'
}

/** What `branding` fills. */
export interface BrandingFields {
  /** The look of the site. */
  branding: Branding
}

/** @see behaviour 6.7 */
export const branding: EnrichFormat<BrandingFormat, BrandingFields> = {
  type: 'branding',
  async make({ captures, url }) {
    if (captures?.branding) return { fields: { branding: captures.branding } }
    const message = 'Format `branding` needs a page in a browser, and what answered is none'
    throw new TrawlError('SCRAPE_BRANDING_NOT_SUPPORTED', message, { url })
  },
}
