import { pageDocument } from '../../browser/injected/built-ins-of.js'
import type { BrandSample } from './branding-samples.js'
import { findLogo, isHomeLink } from './find-logo.js'
import type { BrandingFunctions } from './page-functions.js'
import { cleanText, toAbsoluteUrl } from './read-text.js'

/** A node of JSON-LD. */
type LinkedData = Readonly<Record<string, unknown>>

const MAX_SCRIPTS = 20
/** Maximum length of a script with JSON-LD. Characters. */
const MAX_SCRIPT = 200_000
const MAX_HOME_LINKS = 100
/** Maximum length of the text of a link to the home page that is used as a name of the site. Characters. */
const MAX_NAME = 40

/** Reads the names and images with which a page presents its site. */
export const sampleBrand: BrandingFunctions['sampleBrand'] = ({ maxDrawing }) => {
  const data = readLinkedData()
  const organization = findType(data, /Organization|Corporation|Business|Store$/)
  const website = findType(data, /^WebSite$/)
  const logo = findLogo(maxDrawing) ?? toLogo(organization?.['logo'])
  const titleParts = pageDocument.title.split(/\s[-|–—·:]\s/).map(cleanText)
  const labels = location.hostname.split('.')
  const names = [
    readMeta('og:site_name'),
    readMeta('application-name'),
    readMeta('apple-mobile-web-app-title'),
    nameOf(organization),
    nameOf(website),
    titleParts.find((part) => part && labels.includes(squash(part))),
    cleanText(logo?.alt).replace(/\s*\b(?:logo|home(?:page)?)\b\s*/gi, ''),
    findHomeLabel(),
  ].filter((name): name is string => Boolean(name))
  const favicon = findFavicon()
  const ogImage = toAbsoluteUrl(readMeta('og:image'))
  return { names, logo, favicon, ogImage }
}

function readMeta(name: string): string {
  const found = pageDocument.querySelector<HTMLMetaElement>(`meta[property="${name}"], meta[name="${name}"]`)
  return found ? cleanText(found.content) : ''
}

function readLinkedData(): LinkedData[] {
  const found: unknown[] = []
  for (const script of [...pageDocument.querySelectorAll('script[type="application/ld+json"]')].slice(0, MAX_SCRIPTS)) {
    try {
      const read: unknown = JSON.parse(script.textContent.slice(0, MAX_SCRIPT))
      for (const item of [read].flat()) {
        const graph = isLinkedData(item) ? item['@graph'] : undefined
        found.push(...(Array.isArray(graph) ? (graph as unknown[]) : [item]))
      }
    } catch {
      // A script that is not JSON names nothing.
    }
  }
  return found.filter(isLinkedData)
}

const isLinkedData = (value: unknown): value is LinkedData => typeof value === 'object' && value !== null

const findType = (data: readonly LinkedData[], pattern: RegExp): LinkedData | undefined =>
  data.find((item) => [item['@type']].flat().some((type) => typeof type === 'string' && pattern.test(type)))

const nameOf = (item: LinkedData | undefined): string =>
  typeof item?.['name'] === 'string' ? cleanText(item['name']) : ''

function toLogo(value: unknown): BrandSample['logo'] {
  const url = isLinkedData(value) ? value['url'] : value
  const src = typeof url === 'string' && url !== '' ? toAbsoluteUrl(url) : undefined
  return src ? { src } : undefined
}

const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function findHomeLabel(): string | undefined {
  const links = pageDocument.querySelectorAll<HTMLAnchorElement>('header a[href], nav a[href], [role=banner] a[href]')
  return [...links]
    .slice(0, MAX_HOME_LINKS)
    .filter(isHomeLink)
    .map((link) => cleanText(link.textContent))
    .find((text) => text && text.length <= MAX_NAME && !/^home$/i.test(text))
}

/** Returns the URL of the largest icon. An SVG counts as larger than any bitmap. */
function findFavicon(): string | undefined {
  const icons = [...pageDocument.querySelectorAll<HTMLLinkElement>('link[rel~="icon" i]')].filter((icon) =>
    icon.getAttribute('href'),
  )
  const sizeOf = (icon: HTMLLinkElement): number =>
    /svg/.test(icon.type + icon.getAttribute('href')) ? 1e6 : Number.parseInt(icon.getAttribute('sizes') ?? '') || 1
  return icons.sort((one, other) => sizeOf(other) - sizeOf(one))[0]?.href
}
