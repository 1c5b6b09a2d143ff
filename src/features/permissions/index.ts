import { defineFeature } from '../../kernel/engine/feature.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { type PermissionSlice, type Statements, openPermissions } from './page-permissions.js'
import { type Permissions, type Use, uses } from './permissions.js'
import { robotsKinds } from './robots-preferences.js'

/** Page options of permissions. */
export interface PermissionOptions {
  /**
   * Uses that you will make of the page: `search`, `ai-input` (input of a model when it answers), `ai-train`. A page is not taken if
   * its site denies one of them: in a job it is skipped as `NOT_PERMITTED`, a single page fails with `SCRAPE_NOT_PERMITTED`. A
   * use that the site says nothing about counts as granted. With it, robots.txt, `/.well-known/tdmrep.json` and licence files
   * (RSL) of each site are requested, once a day. Not in the interface. @default none: nothing more is requested, and
   * `permissions` of the document has what is known
   */
  use?: readonly Use[]
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends PermissionOptions {}
}

/** Document fields of permissions. */
export interface PermissionFields {
  /**
   * Statements of the site about the use of the page, with the source of each statement; absent if nothing is stated.
   * robots.txt is among the sources where the engine has read it: in a crawl, and with `use`.
   */
  permissions?: Permissions
}

declare module '../../kernel/page/document.js' {
  interface DocumentFrame extends PermissionFields {}
}

declare module '../../base/errors.js' {
  interface FeatureErrors {
    SCRAPE_NOT_PERMITTED: true
  }
}

declare module '../../kernel/ledger/skip-reason.js' {
  interface FeatureSkipReasons {
    NOT_PERMITTED: true
  }
}

/** Slice of a page without `use`. */
const NO_USE: PermissionSlice = {}

/** Permissions: what a site says about the use of its pages. @internal */
export const permissions = defineFeature<PermissionSlice, Permissions, Statements>({
  name: 'permissions',
  options: {
    page: {
      use: {
        schema: (z) => z.array(z.enum(uses)).min(1).max(uses.length).optional(),
        help: 'What you will do with the pages: search, ai-input, ai-train; pages whose site denies it are skipped',
      },
    } satisfies OptionDefinitions<PermissionOptions>,
  },
  refusal: {
    reason: 'NOT_PERMITTED',
    means: 'The site denies a use of the page that `use` names; the message quotes the statement and its source.',
    code: 'SCRAPE_NOT_PERMITTED',
    error: { means: 'the site denies a use of the page that `use` names', retry: false, status: 403 },
  },
  robots: robotsKinds,
  // Each page has what it states itself, which costs no request.
  plan: ({ use }) => (use ? { use: [...new Set(use)] } : NO_USE),
  judges: ({ use }) => use && [...use].toSorted().join(' '),
  open: openPermissions,
  document: (found) => ({ fields: { permissions: found } }),
})
