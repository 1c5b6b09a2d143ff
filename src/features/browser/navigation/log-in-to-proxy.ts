import type { CDPSession } from 'playwright'
import { TrawlError } from '../../../base/errors.js'
import type { ProxyCredentials } from '../proxy/proxy-client.js'

/**
 * Makes a browser context remember the credentials of its proxy, by one request that the proxy itself answers. From then
 * on Chromium sends them with all that the context's pages, frames, workers and WebSockets ask for.
 *
 * Playwright's own `proxy.password` would pause each request of the page and turn its cache off.
 *
 * @param session of an empty page, without other uses of `Fetch`
 * @throws TrawlError `SCRAPE_BROWSER_ERROR` when the browser did not send the credentials
 */
export async function logInToProxy(
  session: CDPSession,
  server: string,
  { username, password, loginUrl }: ProxyCredentials,
): Promise<void> {
  let isSent = false
  const provide = ({ requestId, authChallenge }: AuthRequired): void => {
    const isAsked = !isSent && authChallenge.source === 'Proxy' && authChallenge.origin === server
    if (isAsked) isSent = true
    const authChallengeResponse = isAsked
      ? ({ response: 'ProvideCredentials', username, password } as const)
      : ({ response: 'CancelAuth' } as const)
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  }
  const proceed = ({ requestId }: { requestId: string }): void => {
    session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  }
  session.on('Fetch.authRequired', provide).on('Fetch.requestPaused', proceed)
  try {
    // A browser may try https first.
    const urlPattern = loginUrl.replace('http:', '*:')
    await session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern }] })
    // Status 204 leaves the empty page in place.
    const { errorText } = await session.send('Page.navigate', { url: loginUrl })
    await session.send('Fetch.disable')
    if (!isSent) throw new TrawlError('SCRAPE_BROWSER_ERROR', `The browser cannot use the page's proxy (${errorText})`)
  } finally {
    session.off('Fetch.authRequired', provide).off('Fetch.requestPaused', proceed)
  }
}

interface AuthRequired {
  readonly requestId: string
  readonly authChallenge: { readonly source?: string; readonly origin: string }
}
