import type { PageCookies } from '../../base/http/cookies.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'

/** Option of jobs for cookies. */
export interface CookieOptions {
  /**
   * Keep the cookies that pages set, and send them with the further pages of the job, as a browser does (RFC 6265): over HTTP and in the
   * browser, each to the hosts, paths and schemes that it is for. They are kept in memory, for this job alone, and a job that is resumed
   * begins without them; a `profile` or a `login` keeps its own. The pages neither come from the cache nor go there, and links that sign
   * out, delete or buy are not followed: see `followUnsafeLinks`. Not in the interface. @default that of the engine
   */
  cookies?: boolean
}

/** Setting of an engine for cookies. */
export interface CookieConfig {
  /** Option `cookies` of all its jobs, each of which keeps its own. @default false */
  cookies?: boolean
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureJobOptions extends CookieOptions {}
  interface FeatureConfig extends CookieConfig {}
}

const NAME = 'cookies'

/** Part of a job's plan: each job has its own, by which its cookies are known. */
type CookieSlice = Readonly<Record<string, never>>

/** Cookies of a job: what a page sets is sent with those after it. @internal */
export const cookies = defineFeature<CookieSlice>({
  name: NAME,
  options: {
    job: {
      cookies: { schema: optionalBoolean, help: 'Keep the cookies that pages set, and send them with further pages' },
    } satisfies OptionDefinitions<CookieOptions>,
    engine: {
      cookies: { schema: optionalBoolean, default: false, help: false },
    } satisfies OptionDefinitions<CookieConfig>,
  },
  planJob(page, options, config) {
    if (!(options.cookies ?? config.cookies)) return undefined
    const slice: CookieSlice = {}
    const changesRequests = [...(page.changesRequests ?? []), NAME]
    return { slice, page: { ...page, changesRequests, features: { ...page.features, [NAME]: slice } } }
  },
  open() {
    const jars = new WeakMap<CookieSlice, PageCookies>()
    return {
      async request({ slice }) {
        const shared = jars.get(slice) ?? { areShared: true }
        jars.set(slice, shared)
        return { cookies: shared }
      },
    }
  },
})
