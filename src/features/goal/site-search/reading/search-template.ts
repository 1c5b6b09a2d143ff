import { isWebUrl, parseUrl } from '../../../../base/url.js'
import { SEARCH_TERMS, searchLimits } from '../search-page.js'

/** A parameter of a template: `{searchTerms}`, `{startPage?}`. */
const PARAMETER = /\{([\w:.-]{1,60})(\?)?\}/g
/** Stands for the words while a URL is parsed, which would escape braces. */
const MARK = 'zz0search0terms0zz'
/** Paths and values of requests that change something, which no search does. */
const CHANGES =
  /(?:log|sign)[-_]?(?:out|off)|unsubscribe|[/=](?:delete|remove|cart|checkout|register|log-?in)(?![^/?&=])/i

/** A template as a page writes it. */
interface WrittenTemplate {
  readonly text: string
  /** Name of the parameter for the words. */
  readonly name: string
  /** Values of other parameters that may be required. @default none */
  readonly values?: Readonly<Record<string, string>>
}

/** Lists the names of the parameters of a template. */
export const listParameters = (text: string): string[] =>
  Array.from(text.slice(0, searchLimits.url).matchAll(PARAMETER), ([, name = '']) => name)

/**
 * Reads the template of a search page.
 *
 * @param resolve resolves a reference of the page
 * @returns the absolute URL with {@link SEARCH_TERMS} once, in its path or query; undefined where the template has no such place, or
 *   another parameter that is required
 */
export function readTemplate(
  { text, name, values = {} }: WrittenTemplate,
  resolve: (reference: string) => string | undefined,
): string | undefined {
  if (text.length > searchLimits.url) return undefined
  let isKnown = true
  const marked = text.replaceAll(PARAMETER, (_parameter, own: string, optional?: string) => {
    if (own === name) return MARK
    const value = Object.entries(values).find(([other]) => other === own)?.[1]
    isKnown &&= value !== undefined || optional !== undefined
    return value ?? ''
  })
  return isKnown ? toTemplate(resolve(marked)) : undefined
}

/** Writes the URL that a form sends its fields to. The query of its action is replaced, as a browser does. */
export function writeFormTemplate(
  action: string | undefined,
  field: string,
  hidden: readonly (readonly [name: string, value: string])[],
): string | undefined {
  const url = action === undefined ? undefined : parseUrl(action)
  if (!url) return undefined
  const fields = [...hidden, [field, MARK] as const]
  url.search = fields.map((pair) => pair.map((part) => encodePart(part)).join('=')).join('&')
  return toTemplate(url.href)
}

function toTemplate(href: string | undefined): string | undefined {
  const url = href === undefined || href.length > searchLimits.url ? undefined : parseUrl(href)
  if (!url || !isWebUrl(url) || url.username !== '' || url.password !== '') return undefined
  // What follows `#` is not sent to the site.
  url.hash = ''
  const [before, after, ...more] = url.href.split(MARK)
  if (
    before === undefined ||
    after === undefined ||
    more.length > 0 ||
    url.host.includes(MARK) ||
    CHANGES.test(url.pathname + url.search)
  )
    return undefined
  return before + SEARCH_TERMS + after
}

/** Puts the words of a search into a template. */
export const fillTemplate = (template: string, words: string): URL | undefined =>
  parseUrl(template.replace(SEARCH_TERMS, () => encodePart(words)))

/** Address of a search page without its query and what follows the place of the words. */
export const addressOf = (template: string): string => /^[^?{]*/.exec(template)?.[0] ?? ''

const encodePart = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''))
