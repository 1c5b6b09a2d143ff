import type { Action } from './action-options.js'
import type { CapturePlan } from './capture.js'

/** Whom a page takes its visitor for. Every fetcher keeps to it, as far as it goes. */
export interface Emulation {
  /** A telephone: its user agent and, in a browser, its window, touch screen and client hints. */
  readonly mobile: boolean
  /** Languages in order of preference, BCP 47; the first is the browser's own. At least one. */
  readonly languages: readonly string[]
  /** IANA name; in a browser only. The host's own when absent. */
  readonly timeZone?: string
  /** ISO 3166-1 alpha-2 in upper case, for the choice of a proxy; absent for anywhere. */
  readonly country?: string
  /** Says nothing of being a program: for `proxy: 'enhanced'`. @default false */
  readonly isAnonymous?: boolean
}

/** Browser storage that is shared under a name. */
export interface ProfilePlan {
  readonly name: string
  readonly saveChanges: boolean
}

/** What a browser does for a page beside loading it. */
export interface BrowserPlan {
  /** After the automatic wait. Milliseconds. */
  readonly waitForMs: number
  readonly actions: readonly Action[]
  readonly captures: CapturePlan
  /** Requests for advertisements and trackers are not sent, consent pop-ups are answered. */
  readonly blockAds: boolean
  readonly profile?: ProfilePlan
}

/** Whether somebody looks at the page, or acts on it, before its HTML is read. */
export const hasActionsOrCaptures = ({ actions, captures }: BrowserPlan): boolean =>
  actions.length > 0 || Object.keys(captures).length > 0
