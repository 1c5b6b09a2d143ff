import type { FetchedPage } from './fetched-page.js'
import type { Action } from './action-options.js'
import type { CapturePlan } from './capture.js'

/** Properties of the visitor that a site can detect. Every fetcher applies the fields that it supports. */
export interface Emulation {
  /** Emulates a phone: its user agent and, in a browser, its window, touch screen and client hints. */
  readonly mobile: boolean
  /** Languages in order of preference, as BCP 47 tags; the first is the browser's locale. At least one. */
  readonly languages: readonly string[]
  /** IANA time zone, in a browser only. @default the host's */
  readonly timeZone?: string
  /** Country for the choice of a proxy, ISO 3166-1 alpha-2 in upper case; absent for any. */
  readonly country?: string
  /** Omits trawl's name from the user agent: for `proxy: 'enhanced'`. @default false */
  readonly isAnonymous?: boolean
}

/** Browser storage shared under a name. */
export interface ProfilePlan {
  readonly name: string
  readonly saveChanges: boolean
  /** Identifies the login whose session the page is requested with. @default none is known */
  readonly login?: string
  /** Decides whether the changes of a page are kept: a login page must not end the session. @default they are */
  readonly mayKeep?: (page: FetchedPage) => Promise<boolean>
}

/** Options of loading all of a page's list. */
export interface ExpandPlan {
  /** Number of rows after which a list is not asked for more. */
  readonly maxRows: number
  /**
   * Records the JSON answers to the page's requests, and stops once two of them show how the list goes on.
   *
   * @default false
   */
  readonly recordsAnswers?: boolean
}

/** A script that a feature runs on a page. */
export interface FeatureScript {
  readonly feature: string
  /** A function, as an expression. */
  readonly source: string
  /** Set if the page goes on without it. */
  readonly isOptional?: true
}

/** The steps of a browser besides loading the page. */
export interface BrowserPlan {
  /** Time to wait after the automatic wait. Milliseconds. */
  readonly waitForMs: number
  readonly actions: readonly Action[]
  /** Secrets that its actions fill in, beside those that they ask for. In memory alone. @default none */
  readonly secrets?: readonly string[]
  /** Scripts of features, which run after the actions. @default none */
  readonly scripts?: readonly FeatureScript[]
  readonly captures: CapturePlan
  /** Blocks requests for advertisements and trackers, and answers consent dialogs. */
  readonly blockAds: boolean
  /** Set to load the whole list of a page, and what its controls show. */
  readonly expand?: ExpandPlan
  readonly profile?: ProfilePlan
}

/** Tests for steps that need a rendered page before its HTML is read. */
export const hasActionsOrCaptures = ({ actions, captures, scripts }: BrowserPlan): boolean =>
  actions.length > 0 || scripts !== undefined || Object.keys(captures).length > 0
