import type { CDPSession, Page } from 'playwright'
import { cutText } from '../../../base/text/cut-text.js'
import { isWebUrl, parseUrl, withoutCredentials } from '../../../base/url.js'

/** The windows that actions on a page opened, and its downloads. They are closed or refused, so their content is missing. */
export interface WindowWatch {
  /** Adds the windows that a frame in a process of its own opens. */
  addFrame(session: CDPSession): Promise<void>
  /** Returns warnings that name the URLs. */
  describe(): readonly string[]
}

type Kind = 'window' | 'download'

const sentences: Readonly<Record<Kind, string>> = {
  window: 'Windows that the actions opened were closed, and not read',
  download: 'Downloads of the page were refused',
}

/** Maximum number of URLs that are kept, and that a warning names: a page may open windows without end. */
const MAX_KEPT = 100
const MAX_NAMED = 5
/** Maximum length of a URL in a warning. Characters. */
const MAX_LENGTH = 300
/** Name of a window whose content is not on the web, such as that of a `data:` URL. */
const NO_ADDRESS = 'one without a web address'

/**
 * Watches the windows that actions on a page open, and its downloads. Windows that its scripts open by themselves are
 * left out: a browser blocks them.
 *
 * @param session of the page itself
 * @param hide takes secrets out of a text
 */
export async function watchWindows(
  page: Page,
  session: CDPSession,
  hide: (text: string) => string,
): Promise<WindowWatch> {
  const kinds = new Map<string, Kind>()
  const add = (kind: Kind, address: string): void => {
    const url = parseUrl(address)
    const name =
      url && isWebUrl(url)
        ? `\`${cutText(hide(withoutCredentials(url).href).replaceAll('`', '%60'), MAX_LENGTH)}\``
        : NO_ADDRESS
    // A file that a link opens in a new window is reported as a window, and then as a download.
    if (kinds.has(name) ? kind === 'download' : kinds.size < MAX_KEPT) kinds.set(name, kind)
  }
  // Playwright reports a window only when its response has arrived.
  const addFrame = async (frame: CDPSession): Promise<void> => {
    frame.on('Page.windowOpen', ({ url, userGesture }) => {
      if (userGesture) add('window', url)
    })
    await frame.send('Page.enable')
  }
  page.on('download', (download) => add('download', download.url()))
  await addFrame(session)
  const describe = (kind: Kind): string[] => {
    const urls = [...kinds].flatMap(([name, its]) => (its === kind ? [name] : []))
    const more = urls.length > MAX_NAMED ? ', …' : ''
    return urls.length === 0 ? [] : [`${sentences[kind]}: ${urls.slice(0, MAX_NAMED).join(', ')}${more}.`]
  }
  return { addFrame, describe: () => [...describe('window'), ...describe('download')] }
}
