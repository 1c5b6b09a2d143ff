import { MAX_PROMPT_LENGTH } from '../../base/json-schema/answer-schema.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'

/** Options of a crawl that is described in words. */
export interface PromptOptions {
  /**
   * Description of the crawl in words. Before the crawl begins, the engine's model generates options from it and from
   * some of the site's URLs. Options that are given win, also where they equal the default. `url` is never generated,
   * nor a `limit` above 10,000; of `scrapeOptions` only `formats` that need no model, `onlyMainContent`, `waitFor` and
   * `location`. Generated options are checked like any request. If some cannot be used, or the model fails, the crawl
   * runs without them and has a `warning`. At most 10,000 characters; an empty text has no effect.
   *
   * @see {@link CrawlJob.prepared}, docs/compatibility/crawls.md#crawl-prompt
   */
  prompt?: string
}

/** Definitions of {@link PromptOptions}. @internal */
export const promptDefinitions: OptionDefinitions<PromptOptions> = {
  prompt: {
    schema: (z) => z.string().max(MAX_PROMPT_LENGTH).optional(),
    asksModel: true,
    help: 'Description of the crawl, from which a language model sets the options not given. At most 10000 characters',
  },
}
