import type { Feature } from '../kernel/engine/feature.js'
import { archive } from './archive/index.js'
import { base64 } from './base64/index.js'
import { boilerplate } from './boilerplate/index.js'
import { branding } from './branding/index.js'
import { browser } from './browser/index.js'
import { changeTracking } from './change-tracking/index.js'
import { cleanContent } from './clean-content/index.js'
import { cookies } from './cookies/index.js'
import { goal } from './goal/index.js'
import { json } from './json/index.js'
import { login } from './login/index.js'
import { linkedSheets } from './linked-sheets/index.js'
import { list } from './list/index.js'
import { machines } from './machines/index.js'
import { media } from './media/index.js'
import { mirror } from './mirror/index.js'
import { offers } from './offers/index.js'
import { ownFeatures } from './own-features/index.js'
import { permissions } from './permissions/index.js'
import { promptInjection } from './prompt-injection/index.js'
import { question } from './question/index.js'
import { redactPii } from './redact-pii/index.js'
import { screenshot } from './screenshot/index.js'
import { search } from './search/index.js'
import { since } from './since/index.js'
import { summary } from './summary/index.js'
import { survey } from './survey/index.js'
import { twins } from './twins/index.js'
import { hostLists } from './host-lists/index.js'
import { unsafeLinks } from './unsafe-links/index.js'
import { watch } from './watch/index.js'
import { webhooks } from './webhooks/index.js'

// The types of its options, of its formats and of its part of a document: `tsc` drops an import that no declaration needs, and
// with it what a feature adds to the types of others.
export type * from './archive/index.js'
export type { OriginalFormat, RawBase64Format } from './base64/index.js'
export type { BoilerplateMetadata, BoilerplateOptions } from './boilerplate/index.js'
export type { BrandingFormat } from './branding/index.js'
export type { BrowserConfig } from './browser/index.js'
export type { ChangeTrackingFormat } from './change-tracking/index.js'
export type { CleanContentOptions } from './clean-content/index.js'
export type { CookieConfig, CookieOptions } from './cookies/index.js'
export type { GoalOptions, GoalStatus } from './goal/index.js'
export type { DeterministicJsonFormat, JsonFormat } from './json/index.js'
export type { LinkedSheetOptions } from './linked-sheets/index.js'
export type { ListFormat } from './list/index.js'
export type { LoginCall, LoginConfig, LoginHeaders, LoginOptions } from './login/index.js'
export type { LoginPageOptions, LoginSign, Secret } from './login/index.js'
export type * from './machines/index.js'
export type { AudioFormat, MediaConfig, PageVideo, VideoFormat } from './media/index.js'
export type * from './mirror/index.js'
export type { MenuFormat, ProductFormat } from './offers/index.js'
export type { OwnFeature } from './own-features/index.js'
export type { PermissionFields, PermissionOptions } from './permissions/index.js'
export type { Permission, Permissions, PermissionStatement, StatedUses, Use } from './permissions/permissions.js'
export type { PromptInjection, PromptInjectionCheck } from './prompt-injection/index.js'
export type { HighlightsFormat, QueryFormat, QuestionFormat } from './question/index.js'
export type * from './redact-pii/index.js'
export type { ScreenshotFormat } from './screenshot/index.js'
export type * from './search/index.js'
export type { SinceOptions } from './since/index.js'
export type { SummaryFormat } from './summary/index.js'
export type { PromptOptions } from './survey/index.js'
export type { TwinMetadata, TwinOptions } from './twins/index.js'
export type { HostListOptions } from './host-lists/index.js'
export type { UnsafeLinkOptions } from './unsafe-links/index.js'
export type * from './watch/index.js'
export type * from './webhooks/index.js'

/**
 * The features of trawl, in order: a step runs after those before it. Without its line, and the lines above that name its folder,
 * a feature is gone.
 *
 * @internal
 */
export const features: readonly Feature[] = [
  browser,
  survey,
  goal,
  permissions,
  promptInjection,
  hostLists,
  unsafeLinks,
  login,
  cookies,
  linkedSheets,
  changeTracking,
  json,
  list,
  cleanContent,
  twins,
  boilerplate,
  offers,
  screenshot,
  summary,
  base64,
  branding,
  media,
  question,
  search,
  watch,
  webhooks,
  machines,
  archive,
  since,
  redactPii,
  mirror,
  ownFeatures,
]
