import { ModelError } from '../../base/llm/llm.js'
import { whyNotAsked } from '../../base/llm/answers/page-text.js'
import { cutText } from '../../base/text/cut-text.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { FeaturePage } from '../../kernel/page/feature-page.js'
import type { PageInternals } from '../../kernel/page/feature-steps.js'
import { askForBoilerplate, withoutBlocks } from './ask-model.js'

/** Page options of content without boilerplate. */
export interface CleanContentOptions {
  /**
   * Remove boilerplate that is left in the `markdown` with the engine's language model, at the cost of at least one request for each
   * page. The model names blocks and writes none, so that each line stays the page's own; `cleanedOut` of the document lists what it
   * has removed. Other formats, and comparisons with earlier versions of the page, have the page without this pass. @default false
   */
  onlyCleanContent?: boolean
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends CleanContentOptions {}
}

/** Document fields of content without boilerplate. */
interface CleanContentFields {
  /** The starts of the blocks that a language model has removed from `markdown`, with `onlyCleanContent`; at most 50. Absent for none. */
  cleanedOut?: string[]
}

declare module '../../kernel/page/document.js' {
  interface DocumentFrame extends CleanContentFields {}
}

/** Limits of the list in a document: blocks, and characters of each. */
const MAX_LISTED = { blocks: 50, characters: 200 }

async function findBoilerplate(
  page: FeaturePage<true>,
  { isForLinks, model }: PageInternals,
): Promise<readonly string[] | undefined> {
  const { markdown, url } = page
  if (isForLinks || markdown === undefined) return undefined
  if (!model || markdown === '') {
    page.warn(`The Markdown is not cleaned: ${whyNotAsked(model)}.`)
    return undefined
  }
  try {
    const { blocks, warnings } = await askForBoilerplate(markdown, url, model)
    for (const warning of warnings) page.warn(warning)
    return blocks.length > 0 ? blocks : undefined
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    page.warn(`The Markdown is not cleaned: ${error.message}.`)
    return undefined
  }
}

/** Markdown without boilerplate, by a language model. @internal */
export const cleanContent = defineFeature<true, readonly string[]>({
  name: 'clean-content',
  options: {
    page: {
      onlyCleanContent: {
        schema: optionalBoolean,
        default: false,
        help: 'Let a language model remove remaining boilerplate',
      },
    } satisfies OptionDefinitions<CleanContentOptions>,
  },
  plan: ({ onlyCleanContent }) => onlyCleanContent || undefined,
  open: () => ({
    async afterDigest(page, internals) {
      const found = await findBoilerplate(page, internals)
      return found && { found }
    },
  }),
  document: (dropped, { markdown }) => {
    if (markdown === undefined) return {}
    const cleanedOut = dropped.slice(0, MAX_LISTED.blocks).map((text) => cutText(text, MAX_LISTED.characters))
    return { fields: { markdown: withoutBlocks(markdown, dropped), cleanedOut } }
  },
})
