import { pageFunction } from '../browser-page/page-function.js'

/** What a page calls itself and shows itself by. Absolute URLs; inline drawings are `data:` URIs. */
export interface BrandSample {
  /** Names that the page gives to its site, the surest first. */
  readonly names: readonly string[]
  readonly logo?: { readonly src: string; readonly href?: string; readonly alt?: string }
  readonly favicon?: string
  readonly ogImage?: string
}

/** What {@link sampleBrand} is asked. */
export interface BrandQuestion {
  /** Characters of an inline drawing that is taken for a logo. */
  readonly maxDrawing: number
}

/**
 * Reads who the site is. A logo is a picture that names say is one, that leads home, or that stands at the head of the
 * page: what has most of these wins, and the first of equals.
 */
export const sampleBrand: (question: BrandQuestion) => BrandSample = pageFunction(String.raw`({ maxDrawing }) => {
  const absolute = (value) => {
    try {
      return value ? new URL(value, document.baseURI).href : undefined
    } catch {
      return undefined
    }
  }
  const clean = (text) => (text || '').replace(/\s+/g, ' ').trim().slice(0, 100)
  const meta = (name) => {
    const found = document.querySelector('meta[property="' + name + '"], meta[name="' + name + '"]')
    return found ? clean(found.content) : ''
  }

  const data = []
  for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 20)) {
    try {
      const read = JSON.parse(script.textContent.slice(0, 200000))
      for (const item of [read].flat()) data.push(...(item && Array.isArray(item['@graph']) ? item['@graph'] : [item]))
    } catch {
      // What cannot be read says nothing.
    }
  }
  const ofType = (pattern) => data.find((item) => item && [item['@type']].flat().some((type) => typeof type === 'string' && pattern.test(type)))
  const organization = ofType(/Organization|Corporation|Business|Store$/)
  const website = ofType(/^WebSite$/)

  const isHome = (link) => {
    const url = new URL(link.href, document.baseURI)
    return url.origin === location.origin && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:index\.\w+)?$/i.test(url.pathname)
  }
  const wordsOf = (element) => {
    let words = [element.getAttribute('src'), element.getAttribute('alt'), element.getAttribute('aria-label')].join(' ')
    let at = element
    for (let up = 0; at && at !== document.body && up < 4; up++) {
      words += ' ' + (at.getAttribute('class') || '') + ' ' + (at.id || '')
      at = at.parentElement
    }
    return words.toLowerCase().replace(/^data:\S*/, '').slice(0, 2000)
  }
  const draw = (svg) => {
    const copy = svg.cloneNode(true)
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('color', getComputedStyle(svg).color)
    for (const use of [...copy.querySelectorAll('use')].slice(0, 20)) {
      const name = use.getAttribute('href') || use.getAttribute('xlink:href') || ''
      const target = name.startsWith('#') ? document.getElementById(name.slice(1)) : null
      if (!target) return undefined
      if (!svg.contains(target)) copy.prepend(target.cloneNode(true))
    }
    const text = new XMLSerializer().serializeToString(copy)
    return text.length > maxDrawing ? undefined : 'data:image/svg+xml,' + encodeURIComponent(text)
  }
  let best
  for (const element of [...document.querySelectorAll('img, svg')].slice(0, 500)) {
    if (element.parentElement && element.parentElement.closest('svg')) continue
    const box = element.getBoundingClientRect()
    const top = box.top + scrollY
    if (box.width < 12 || box.height < 8 || box.width > 700 || box.height > 400) continue
    const link = element.closest('a[href]')
    const words = wordsOf(element)
    let score = 0
    if (/\blogo|logo\b|logotype|wordmark|\bbrand/.test(words)) score += 4
    if (link && isHome(link)) score += 3
    if (element.closest('header, nav, [role=banner]')) score += 2
    if (top < 200) score += 1
    if (element.closest('main, article, footer, [role=main], [role=contentinfo]') && !element.closest('header, nav')) score -= 4
    if (/sponsor|partner|client|customer|avatar|payment|icon-search|hamburger/.test(words)) score -= 4
    if (element.closest('button')) score -= 4
    if (score >= 5 && (!best || score > best.score)) best = { element, link, score }
  }
  let logo
  if (best) {
    const { element, link } = best
    const src = element.localName === 'img' ? absolute(element.currentSrc || element.src) : draw(element)
    const title = element.querySelector && element.querySelector('title')
    const alt = clean(element.getAttribute('alt') || element.getAttribute('aria-label') || (title && title.textContent) || (link && link.getAttribute('aria-label')))
    if (src) logo = { src, ...(link ? { href: absolute(link.getAttribute('href')) } : {}), ...(alt ? { alt } : {}) }
  }
  const stated = organization && organization.logo && absolute(typeof organization.logo === 'string' ? organization.logo : organization.logo.url)
  if (!logo && stated) logo = { src: stated }

  const homes = [...document.querySelectorAll('header a[href], nav a[href], [role=banner] a[href]')].slice(0, 100).filter(isHome)
  const titleParts = document.title.split(/\s[-|–—·:]\s/).map(clean)
  const squash = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const labels = location.hostname.split('.')
  const names = [
    meta('og:site_name'),
    meta('application-name'),
    meta('apple-mobile-web-app-title'),
    clean(organization && typeof organization.name === 'string' && organization.name),
    clean(website && typeof website.name === 'string' && website.name),
    titleParts.find((part) => part && labels.includes(squash(part))),
    clean(logo && logo.alt).replace(/\s*\b(?:logo|home(?:page)?)\b\s*/gi, ''),
    ...homes.map((link) => clean(link.textContent)).filter((text) => text && text.length <= 40 && !/^home$/i.test(text)).slice(0, 1),
  ].filter(Boolean)

  const icons = [...document.querySelectorAll('link[rel~="icon" i]')].filter((icon) => icon.getAttribute('href'))
  const sizeOf = (icon) => (/svg/.test(icon.type + icon.getAttribute('href')) ? 1e6 : parseInt(icon.getAttribute('sizes')) || 1)
  const favicon = icons.sort((a, b) => sizeOf(b) - sizeOf(a))[0]
  const ogImage = absolute(meta('og:image'))
  return {
    names,
    ...(logo ? { logo } : {}),
    ...(favicon ? { favicon: favicon.href } : {}),
    ...(ogImage ? { ogImage } : {}),
  }
}`)
