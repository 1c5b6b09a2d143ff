import { TrawlError } from '../../base/errors.js'
import type { Capture } from '../../kernel/fetch/capture.js'
import { pageFunction } from './injected/page-functions.js'
import { ModelError } from '../../base/llm/llm.js'
import type { Branding } from './brand.js'
import { describeBranding } from './describe-branding.js'
import { openForm } from '../../base/json-schema/answer-form.js'
import { answerJson } from '../../base/llm/answers/answer-json.js'
import type { JsonSchema } from '../../base/json-schema/json-schema.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { packParts } from '../../base/llm/answers/page-text.js'
import { isObject } from '../../base/collections/is-object.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'

/** The visual identity of the site: colours, fonts, logo and components. */
export interface BrandingFormat {
  type: 'branding'
}

/** Fields that `branding` fills. */
interface BrandingFields {
  /** The visual identity of the site. */
  branding: Branding
}

/** Traits that styles do not show; a model infers them from the text. */
const PERSONALITY: JsonSchema = {
  type: 'object',
  properties: {
    tone: { type: 'string', description: 'How it speaks to its readers, in a word or two' },
    energy: { type: 'string', enum: ['low', 'medium', 'high'] },
    targetAudience: { type: 'string', description: 'Whom it speaks to, in a few words' },
  },
}
const TASK = 'the character of the brand whose page it is, by how it writes.'

/** Maximum number of elements to sample, which covers the first screens of any page. */
const MAX_ELEMENTS = 4_000
const MAX_ITEMS = 400
/** Maximum length of an inline SVG logo. Characters. */
const MAX_DRAWING = 50_000

/** Captures the branding of the site: colours, fonts, logo and components. @see docs/compatibility/documents.md#branding */
const capture: Capture<BrandingFormat, Readonly<Record<string, never>>, Branding> = {
  plan: () => ({}),
  async take({ world }) {
    const styles = await world.call(pageFunction('sampleComputedStyles'), {
      maxElements: MAX_ELEMENTS,
      maxItems: MAX_ITEMS,
    })
    const brand = await world.call(pageFunction('sampleBrand'), { maxDrawing: MAX_DRAWING })
    return describeBranding(styles, brand)
  },
}

/**
 * Reads computed styles. When the engine has a model, it adds `personality`, from the text of the page.
 *
 * @see docs/compatibility/documents.md#branding
 */
export const branding: EnrichFormat<BrandingFormat, BrandingFields> = {
  type: 'branding',
  traits: ['fresh'],
  capture,
  needs: { text: () => true, model: () => 'optional' },
  async produce(page, _, { inputs, model }) {
    const { url } = page
    const sampled = readCapture(page, 'branding', capture)
    if (!sampled) {
      const message = 'Format `branding` needs a page that a browser renders, and the response is not one'
      throw new TrawlError('SCRAPE_BRANDING_NOT_SUPPORTED', message, { url })
    }
    // The start of a page is enough to infer a tone of voice.
    const parts = model ? packParts(inputs?.chunks ?? [], model.partTokens).slice(0, 1) : []
    if (!model || parts.length === 0) return { fields: { branding: sampled } }
    try {
      const question = { form: openForm(PERSONALITY), prompt: TASK, quotes: false, url }
      const { value } = await answerJson(question, parts, model)
      if (isObject(value)) return { fields: { branding: { ...sampled, personality: value } } }
      return { fields: { branding: sampled }, warnings: [NO_PERSONALITY] }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return { fields: { branding: sampled }, warnings: [`${NO_PERSONALITY} ${error.message}`] }
    }
  },
}

const NO_PERSONALITY = '`branding` has no `personality`: the answer of the model could not be parsed.'

/** Reads what a format's capture took of a page; undefined when the page did not come from a browser. */
const readCapture = <Result>(
  { captures }: FetchedPage,
  type: string,
  _capture: Capture<{ type: string }, object, Result>,
): Result | undefined => captures?.[type] as Result | undefined
