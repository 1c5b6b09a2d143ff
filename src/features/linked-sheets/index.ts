import { compact } from '../../base/collections/compact.js'
import { agentOf } from '../../kernel/plan/crawl/plan-crawl.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { SheetFinder, type SheetSlice } from './find-sheets.js'

/** Page options of linked style sheets. */
export interface LinkedSheetOptions {
  /**
   * Request the style sheets that a page over HTTP links to, to find the text that they hide: of the site of the page, at most 8 of a page,
   * once for all of its pages. Costs some milliseconds of processor time for each page. Without effect with `visibleOnly: false`. Not in the
   * interface. @default false
   */
  linkedStyles?: boolean
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends LinkedSheetOptions {}
}

const NAME = 'linked-sheets'

/** Style sheets that pages link to, for what they hide. @internal */
export const linkedSheets = defineFeature<SheetSlice>({
  name: NAME,
  options: {
    page: {
      linkedStyles: {
        schema: optionalBoolean,
        default: false,
        help: 'Request the style sheets that pages over HTTP link to, to leave out what these hide',
        isForSite: true,
        follows: 'visibleOnly',
      },
    } satisfies OptionDefinitions<LinkedSheetOptions>,
  },
  plan: ({ visibleOnly, linkedStyles }) => (linkedStyles === true && visibleOnly !== false ? {} : undefined),
  // Pages that other engines scrape have the rule with them.
  planJob(page, { url, ignoreRobotsTxt, delay = 0 }) {
    if (page.features?.[NAME] === undefined) return undefined
    const slice: SheetSlice = compact({
      obeysAs: url === undefined || ignoreRobotsTxt === true ? undefined : agentOf(page),
      isSlow: delay > 0 || undefined,
    })
    return { slice, page: { ...page, features: { ...page.features, [NAME]: slice } } }
  },
  open: (engine) => new SheetFinder(engine),
})
