import type { IdsAndClasses } from '../../injected/page-functions.js'

/** Filter lists, compiled. */
export interface AdMatcher {
  /** @param type the name of the type in browser extensions: `image`, `script`, `sub_frame`, `xmlhttprequest`, … */
  matches(url: string, pageUrl: string, type: string): boolean
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
}
