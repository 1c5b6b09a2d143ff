import type { Capture } from '../capture.js'
import { describeBranding } from '../branding/describe-branding.js'
import { pageFunction } from '../../injected/page-functions.js'

/** Maximum number of elements to sample, which covers the first screens of any page. */
const MAX_ELEMENTS = 4_000
const MAX_ITEMS = 400
/** Maximum length of an inline SVG logo. Characters. */
const MAX_DRAWING = 50_000

/** Captures the branding of the site: colours, fonts, logo and components. @see docs/compatibility.md#branding */
export const branding: Capture<'branding'> = {
  name: 'branding',
  async take({ page }) {
    const styles = await page.evaluate(pageFunction('sampleComputedStyles'), {
      maxElements: MAX_ELEMENTS,
      maxItems: MAX_ITEMS,
    })
    const brand = await page.evaluate(pageFunction('sampleBrand'), { maxDrawing: MAX_DRAWING })
    return describeBranding(styles, brand)
  },
}
