import { sayWhoAsks } from '../../base/http/header-values.js'
import type { PlannedJob } from '../../kernel/engine/feature.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import type { AskedJob } from '../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import type { LoginConfig, LoginOptions, LoginPageOptions } from './login-options.js'

/** Part of logins in the plan of a page. Plain data */
export interface LoginSlice {
  /** URL of the login; absent for a page that carries credentials, and has none. */
  readonly url?: string
  readonly profile?: string
  readonly isCrawl?: true
}

/** Logins of slices: they have functions, which a plan cannot have. */
const logins = new WeakMap<LoginSlice, LoginOptions>()

/** Returns the login of a slice. */
export const loginOf = (slice: LoginSlice): LoginOptions | undefined => logins.get(slice)

const NAME = 'login'

/** Plans the login of a page; undefined for a page that carries no credentials. */
export function planLogin(options: ScrapeOptions & LoginPageOptions, config: LoginConfig): LoginSlice | undefined {
  const { login = config.login, profile, headers = {} } = options
  if (login === undefined) {
    const carries = profile !== undefined || sayWhoAsks(headers)
    return carries ? {} : undefined
  }
  const name = login.profile ?? profile?.name
  const slice: LoginSlice = name === undefined ? { url: login.url } : { url: login.url, profile: name }
  logins.set(slice, login)
  return slice
}

/** Plans the login of a job: its pages are those of a crawl, and its hooks know them by their slice. */
export function planJobLogin(page: ScrapePlan, { url }: AskedJob): PlannedJob | undefined {
  const planned = page.features?.[NAME] as LoginSlice | undefined
  if (!planned) return undefined
  const slice: LoginSlice = url === undefined ? { ...planned } : { ...planned, isCrawl: true }
  const login = logins.get(planned)
  if (login) logins.set(slice, login)
  return { slice, page: { ...page, features: { ...page.features, [NAME]: slice } } }
}
