import type { FetchPlan } from '../../kernel/fetch/fetcher.js'
import type { NamedSign } from './judge-login-page.js'
import type { LoginOptions } from './login-options.js'

/** Time for one login. Milliseconds. */
export const LOGIN_MS = 90_000

/** Fields of the plan of a page by which its login is fetched as well. */
export interface LoginPlan extends Pick<
  FetchPlan,
  'skipTlsVerification' | 'proxy' | 'emulation' | 'fetcher' | 'headerScope'
> {
  /** URL of the page for which the login is. */
  readonly wanted?: string
  /** Reason for which its session counts as ended, and the sign by which alone it does. */
  readonly lost?: { readonly why: string; readonly sign: NamedSign | undefined }
}

/** A request of a login. */
export interface LoginFetch {
  readonly headers: Readonly<Record<string, string>>
  /** True for the cookies of the session; in the browser, they are kept. */
  readonly profile?: true
  /** Actions in the browser. @default it is requested over HTTP */
  readonly actions?: LoginOptions['flow']
  /** Secrets that the actions have. */
  readonly secrets?: readonly string[]
}

/** Plans a request of the login of a page. @param name of the profile */
export function planLoginFetch(
  page: LoginPlan,
  name: string,
  { headers, profile, actions, secrets }: LoginFetch,
): FetchPlan {
  const { skipTlsVerification, proxy, emulation, fetcher, headerScope } = page
  const inBrowser = actions !== undefined
  return {
    headers,
    headerScope: headerScope && { hosts: headerScope.hosts },
    skipTlsVerification,
    timeoutMs: LOGIN_MS,
    fetcher: inBrowser ? (fetcher === 'http' ? 'auto' : fetcher) : 'http',
    proxy: proxy === 'enhanced' ? proxy : 'basic',
    // Sites end a session that comes from another address.
    session: name,
    isPrivate: true,
    emulation,
    mayBeBlocked: true,
    needsBrowser: inBrowser ? ['login'] : [],
    browser: {
      waitForMs: 0,
      actions: actions ?? [],
      secrets,
      captures: {},
      blockAds: false,
      profile: profile && { name, saveChanges: inBrowser },
    },
  }
}
