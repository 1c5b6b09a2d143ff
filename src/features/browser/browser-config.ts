import { optionalBoolean, wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { hasMethods } from '../../kernel/options/engine/value-tests.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import { nestDefinitions, type OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { BrowserOptions } from './process/browser-options.js'
import type { ProfileStore } from './profiles/profile.js'

/** Settings of an engine for pages in the browser. */
export interface BrowserConfig {
  /** Choice and size of the browser. It is searched for and started when a page first needs it. */
  browser?: { readonly [Name in keyof BrowserOptions]?: BrowserOptions[Name] | undefined }
  /**
   * Storage of profiles: the path of a folder, or a store such as `memoryProfiles()`, which engines may share, or
   * `storeProfiles(store)`, which machines may share.
   * @default the engine's own memory
   */
  profiles?: ProfileStore | string
  /**
   * Filter lists for `blockAds`, in addition to the small list that trawl contains, in the syntax of EasyList: paths of
   * files, or URLs, which are downloaded again after a day.
   * @default none
   */
  adLists?: readonly string[]
}

const isProfileStore = hasMethods('read', 'save')

const processDefinitions = {
  executablePath: {
    schema: (z) => z.string().min(1).optional(),
    flag: 'browser-path',
    help: 'Chromium or Chrome executable. Default: the first one found',
  },
  cdpEndpoint: {
    schema: (z) => z.url('not a URL (not shown)').optional(),
    flag: 'browser-endpoint',
    help: 'DevTools URL of a running browser',
  },
  maxPages: {
    schema: (z) => wholeNumber(z, 'pages at once', 1).max(1000).optional(),
    flag: 'browser-pages',
    help: 'Concurrent pages in the browser. Default: two per core',
  },
  pagesPerBrowser: {
    schema: (z) => wholeNumber(z, 'pages', 1).optional(),
    default: 100,
    help: 'Pages after which a browser is replaced',
  },
  sandbox: {
    schema: optionalBoolean,
    flag: 'browser-sandbox',
    help: "Chromium's own sandbox. Default: where it works",
  },
} as const satisfies OptionDefinitions<NonNullable<BrowserConfig['browser']>>

/** Definitions of {@link BrowserConfig}. @internal */
export const browserDefinitions = {
  browser: { ...nestDefinitions(processDefinitions), follows: 'fetcher' },
  profiles: {
    follows: 'proxies',
    schema: (z) =>
      z
        .union([
          z.string().min(1),
          z.custom<ProfileStore>(
            isProfileStore,
            mustBe('the path of a folder, or a store of profiles with `read` and `save`'),
          ),
        ])
        .optional(),
    help: 'Folder of browser profiles. Default: memory, until the command ends',
  },
  adLists: {
    follows: 'retry',
    schema: (z) => z.array(z.string().min(1)).optional(),
    help: 'File or URL of a filter list in EasyList syntax, for --block-ads',
  },
} as const satisfies OptionDefinitions<BrowserConfig>
