import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import { readSrcset } from '../../html/srcset.js'
import { type Element, isElement, isImage, walk } from '../../html/tree.js'
import { resolveUrl } from '../../../base/url.js'
import type { Format } from '../format.js'

interface ImagesFields {
  /** URLs of the content's images, and of those in the page's head: absolute, each once. */
  images: string[]
}

/** The images of the content, then the preview images and icons of the head. @see docs/compatibility/documents.md#images */
export const images: Format<{ type: 'images' }, ImagesFields> = {
  type: 'images',
  dropsRepeats: true,
  isForPrompt: true,
  convert({ tree, page, limits }, _, __, warn) {
    const found = new Set<string>()
    const budget = new CharacterBudget(limits.part)
    const add = (address: string): void => {
      const url = resolveUrl(address, page.baseUrl)
      if (address.trim() === '' || url === undefined || url.protocol === 'javascript:' || found.has(url.href)) return
      if (budget.take(url.href.length)) found.add(url.href)
    }
    for (const [root, read] of [
      [tree.root, imagesShown],
      [page.tree.root, imagesNamed],
    ] as const) {
      walk(root, (node) => {
        if (isElement(node)) for (const address of read(node)) add(address)
      })
    }
    if (budget.leftOut > 0) warn?.(limitWarning(budget.leftOut, 'images are missing in `images`', limits.part))
    return { images: [...found] }
  },
}

/** Returns the URLs of the images that an element shows. */
function imagesShown(element: Element): string[] {
  const { name, attribs } = element
  const { src, srcset, poster, style } = attribs
  const lazy = [attribs['data-src'], ...addressesIn(attribs['data-srcset'])]
  const shown = isImage(element)
    ? [src, ...addressesIn(srcset), ...lazy]
    : name === 'source'
      ? addressesIn(srcset)
      : name === 'video'
        ? [poster]
        : []
  return [...shown, ...backgrounds(style)].filter((address) => address !== undefined)
}

const META = /^(?:og:image|og:image:url|og:image:secure_url|twitter:image|twitter:image:src|image|thumbnailurl)$/i

/** Returns the URLs of images that an element of the head names. */
function imagesNamed({ name, attribs }: Element): string[] {
  if (name === 'meta') {
    const key = attribs['property'] ?? attribs['name'] ?? attribs['itemprop'] ?? ''
    return META.test(key) ? [attribs['content'] ?? ''] : []
  }
  return name === 'link' && /icon|image_src/i.test(attribs['rel'] ?? '') ? [attribs['href'] ?? ''] : []
}

const addressesIn = (srcset: string | undefined): string[] => readSrcset(srcset ?? '').map(({ url }) => url)

/** Returns the URLs in an inline `background` or `background-image`. */
function backgrounds(style: string | undefined): string[] {
  if (style === undefined || !/background/i.test(style)) return []
  return Array.from(
    style.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^()'"\s]+))\s*\)/gi),
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}
