import { TrawlError } from '../../errors.js'
import type { Branding } from '../../fetch/branding.js'
import { ModelError } from '../../llm/llm.js'
import { openForm } from '../json-schema/answer-form.js'
import { answerJson } from '../json/answer-json.js'
import type { JsonSchema } from '../json-schema/json-schema.js'
import type { EnrichFormat } from '../format.js'
import { packParts } from '../model/page-text.js'
import { isObject } from '../../collections/is-object.js'

/** The visual identity of the site: colours, fonts, logo and components. */
export interface BrandingFormat {
  type: 'branding'
}

/** Fields that `branding` fills. */
export interface BrandingFields {
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

/**
 * Reads computed styles. When the engine has a model, it adds `personality`, from the text of the page.
 *
 * @see docs/compatibility.md#branding
 */
export const branding: EnrichFormat<BrandingFormat, BrandingFields> = {
  type: 'branding',
  traits: ['browser', 'fresh'],
  needs: { text: () => true },
  async produce({ captures, url }, _, { inputs, model }) {
    const sampled = captures?.branding
    if (!sampled) {
      const message = 'Format `branding` needs a page in a browser, and what answered is none'
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

const NO_PERSONALITY = '`branding` has no `personality`: the model gave no answer that could be read.'
