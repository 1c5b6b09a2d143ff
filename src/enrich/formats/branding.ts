import { TrawlError } from '../../errors.js'
import type { Branding } from '../../fetch/branding.js'
import { ModelError } from '../../llm/llm.js'
import { openForm } from '../json-schema/answer-form.js'
import { answerJson } from '../json/answer-json.js'
import type { JsonSchema } from '../json-schema/json-schema.js'
import type { EnrichFormat } from '../format.js'
import { packParts } from '../model/page-text.js'
import { isObject } from '../../collections/is-object.js'

/** The look of the site: colours, fonts, logo and components. */
export interface BrandingFormat {
  type: 'branding'
}

/** What `branding` fills. */
export interface BrandingFields {
  /** The look of the site. */
  branding: Branding
}

/** What the look alone does not say. */
const PERSONALITY: JsonSchema = {
  type: 'object',
  properties: {
    tone: { type: 'string', description: 'How it speaks to its readers, in a word or two' },
    energy: { type: 'string', enum: ['low', 'medium', 'high'] },
    targetAudience: { type: 'string', description: 'Whom it speaks to, in a few words' },
  },
}
const TASK = 'the character of the brand whose page it is, by how it writes.'

/** By computed styles alone; where the engine has a model, that says whose page it is by how it writes. @see docs/compatibility.md#branding */
export const branding: EnrichFormat<BrandingFormat, BrandingFields> = {
  type: 'branding',
  needs: { text: () => true },
  async make({ captures, url }, _, { material, model }) {
    const look = captures?.branding
    if (!look) {
      const message = 'Format `branding` needs a page in a browser, and what answered is none'
      throw new TrawlError('SCRAPE_BRANDING_NOT_SUPPORTED', message, { url })
    }
    // The start of a page says enough.
    const parts = model ? packParts(material?.chunks ?? [], model.partTokens).slice(0, 1) : []
    if (!model || parts.length === 0) return { fields: { branding: look } }
    try {
      const question = { form: openForm(PERSONALITY), prompt: TASK, quotes: false, url }
      const { value } = await answerJson(question, parts, model)
      if (isObject(value)) return { fields: { branding: { ...look, personality: value } } }
      return { fields: { branding: look }, warnings: [NO_PERSONALITY] }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return { fields: { branding: look }, warnings: [`${NO_PERSONALITY} ${error.message}`] }
    }
  },
}

const NO_PERSONALITY = '`branding` has no `personality`: the model gave no answer that could be read.'
