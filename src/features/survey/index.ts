import { defineFeature } from '../../kernel/engine/feature.js'
import { createCrawlPrompt } from './crawl-prompt.js'
import { mapDefinitions } from './map-options.js'
import { promptDefinitions, type PromptOptions } from './prompt-options.js'
import { CrawlPromptResolution } from './resolve-crawl-prompt.js'
import { createSurveyCalls, type SurveyCalls } from './survey-calls.js'

export type { PromptOptions } from './prompt-options.js'

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends PromptOptions {}
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends SurveyCalls {}
}

/** Looks at a site before it is crawled: previews, maps, and options of a crawl that is described in words. @internal */
export const survey = defineFeature({
  name: 'survey',
  options: { crawl: promptDefinitions, calls: { map: mapDefinitions } },
  openPrompt({ request, plan, settings, generated }) {
    const prompt = createCrawlPrompt(request, settings)
    return prompt && new CrawlPromptResolution(plan, prompt, generated)
  },
  extendEngine: (engine) => ({ calls: createSurveyCalls(engine) }),
})
