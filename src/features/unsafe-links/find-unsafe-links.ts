import { decodeAllEntities } from '../../content/parse/html/tokenize.js'
import { findEndTag, readTags } from '../../content/html/scan-tags.js'
import { decodeText } from '../../content/encoding/decode-text.js'
import { isHtmlType } from '../../base/http/header-values.js'
import { resolveUrl, withoutFragment } from '../../base/url.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { isProse, judgeText, kindOfIcon, type UnsafeVerdict } from './judge-link.js'

/** A link of a page that does something, with its address as the links of the page have it. Plain data. */
interface UnsafeLink extends UnsafeVerdict {
  readonly url: string
}

/** Maximum links of a page that are named, and that are read. */
const MAX_LINKS = 1000
const MAX_READ = 20_000
/** Characters of the content of a link, and of a form, that are read. */
const MAX_LINK = 500
const MAX_FORM = 4000

/** Attributes by which a script sends a link by another method than GET. */
const METHODS = ['data-method', 'data-turbo-method', 'data-http-method', 'data-ajax-method'] as const
/** Those of htmx, which name the method themselves; `data-` may stand before them. */
const METHOD_NAME = /^(?:data-)?hx-(delete|patch|post|put)$/
/** Attributes by which a script asks before it follows a link. */
const QUESTIONS = ['data-confirm', 'data-turbo-confirm', 'hx-confirm', 'onclick'] as const
/** Attributes that name an icon, and those whose last part does. */
const ICON_NAMES = ['class', 'icon', 'id', 'name', 'data-icon', 'data-lucide', 'data-feather'] as const
const ICON_FILES = ['href', 'xlink:href', 'src'] as const

const LINKING = new Set(['a', 'area', 'base', 'form'])
const BUTTONS = new Set(['button', 'input'])
const PICTURES = new Set(['img'])
const ICONS = new Set(['b', 'em', 'i', 'iconify', 'img', 'ion', 'sl', 'span', 'svg', 'use'])
/** Name of an icon in the place of a text, which its font draws. */
const LIGATURE = /^[a-z]+(?:_[a-z]+)+$/
/** Elements with the font of icons: elsewhere such a text is the name of a function. */
const FONTS = new Set(['i', 'mat-icon'])
const FONTED = new Set([...FONTS, 'b', 'em', 'span'])

type Attributes = ReadonlyMap<string, string>

/**
 * Finds the links of a page that do something, by their texts, their labels, their icons and what scripts are told of them, and by
 * forms that sign out at the same address. A link that stands elsewhere on the page as an ordinary one is one. In time linear in the
 * length of the page.
 */
export function findUnsafeLinks(page: FetchedPage): UnsafeLink[] {
  if (!isHtmlType(page.contentType)) return []
  const source = decodeText(page, 'html')
  const found = new Map<string, UnsafeVerdict & { readonly isOfForm?: true }>()
  const ordinary = new Set<string>()
  let base = page.url
  let left = MAX_READ
  let formEnd = 0
  for (const { name, attributes, end } of readTags(source, LINKING)) {
    if (left-- === 0 || found.size === MAX_LINKS) break
    if (name === 'base') base = resolveUrl(attributes.get('href') ?? '', page.url)?.href ?? base
    const href = attributes.get(name === 'form' ? 'action' : 'href')?.trim() ?? ''
    // In a form, browsers read no other one.
    if (name === 'base' || href === '' || (name === 'form' && end < formEnd)) continue
    const form = name === 'form' ? contentOf(source, end, 'form', MAX_FORM) : undefined
    if (form !== undefined) formEnd = end + form.length
    const verdict =
      form !== undefined
        ? judgeForm(form)
        : judgeLink(attributes, name === 'a' ? contentOf(source, end, 'a', MAX_LINK) : '', () => {
            const url = resolveUrl(href, base)
            return url !== undefined && isProse(url.href)
          })
    if (verdict && !found.has(href)) found.set(href, verdict)
    if (!verdict && name !== 'form') ordinary.add(href)
  }
  if (found.size === 0) return []
  const addressOf = (href: string): string => {
    const url = resolveUrl(href, base)
    return url ? withoutFragment(url).href : ''
  }
  // What leads to the page itself, such as `#` for a script, is no other page.
  const [own, others] = [addressOf(page.url), new Set([...ordinary].map(addressOf))]
  return [...found].flatMap(([href, { kind, evidence, isOfForm }]) => {
    const url = addressOf(href)
    return url === '' || url === own || (!isOfForm && others.has(url)) ? [] : [{ url, kind, evidence }]
  })
}

/** Returns the content of an element from the end of its attributes on, cut at a length. */
function contentOf(source: string, from: number, name: string, most: number): string {
  const content = source.slice(from, from + most)
  const at = findEndTag(content, name, 0)
  return content.slice(content.indexOf('>') + 1, at === -1 ? undefined : at)
}

/** Judges a link. @param isAbout tests whether it leads to a page that explains something */
function judgeLink(attributes: Attributes, content: string, isAbout: () => boolean): UnsafeVerdict | undefined {
  const text = textOf(content)
  const labels = [text, ...labelsOf(attributes, ['aria-label', 'title', 'alt'])]
  const judged = labels.map(judgeText).find((verdict) => verdict !== undefined && !(verdict.isPhrase && isAbout()))
  if (judged) return judged
  const method =
    METHODS.map((name) => attributes.get(name)).find((value) => value && !/^get$/i.test(value)) ??
    [...attributes.keys()].map((name) => METHOD_NAME.exec(name)?.[1]).find((name) => name !== undefined)
  if (method !== undefined) {
    const kind = /^delete$/i.test(method) ? 'deletes' : 'changes something'
    return { kind, evidence: `scripts send it as ${method.slice(0, 20).toUpperCase()}` }
  }
  const question = QUESTIONS.find((name) => isQuestion(name, attributes.get(name)))
  if (question) return { kind: 'changes something', evidence: `scripts ask before they follow it (\`${question}\`)` }
  // Beside a text, an icon is an ornament; a sign such as an arrow is none.
  if (LIGATURE.test(text)) return isInFont(attributes, content) ? judgeIcons([text]) : undefined
  return /[\p{L}\p{N}]/u.test(text)
    ? undefined
    : judgeIcons([...namesOf(attributes, ['class', 'id']), ...iconsOf(content)])
}

const isInFont = (link: Attributes, content: string): boolean =>
  hasFont(link) || [...readTags(content, FONTED)].some(({ name, attributes }) => FONTS.has(name) || hasFont(attributes))

const hasFont = (attributes: Attributes): boolean => /icon|symbol/i.test(attributes.get('class') ?? '')

const isQuestion = (name: string, value: string | undefined): boolean =>
  value !== undefined && (name === 'onclick' ? /\bconfirm\s{0,9}\(|\.submit\s{0,9}\(/.test(value) : value !== '')

/** Judges a form: what it sends may be an ordinary page when it is read, but for a way out. */
function judgeForm(content: string): (UnsafeVerdict & { readonly isOfForm: true }) | undefined {
  for (const { name, attributes, end } of readTags(content, BUTTONS)) {
    const isButton = name === 'button' || /^(?:submit|image|button)$/i.test(attributes.get('type') ?? '')
    if (!isButton) continue
    const inner = name === 'button' ? contentOf(content, end, 'button', MAX_LINK) : ''
    const labels = [textOf(inner), ...labelsOf(attributes, ['value', 'aria-label', 'title'])]
    const text = labels.find((label) => label !== '')
    const verdict = text === undefined ? judgeIcons(iconsOf(inner)) : judgeText(text)
    if (verdict?.kind !== 'signs out') continue
    return { kind: verdict.kind, evidence: `a form that signs out leads there: ${verdict.evidence}`, isOfForm: true }
  }
  return undefined
}

/** Returns the text between the tags of a short source, or else that of its image. */
function textOf(content: string): string {
  const text = plain(content.replace(/<[^<>]*>/g, ' '))
  if (text !== '') return text
  for (const { attributes } of readTags(content, PICTURES)) return labelsOf(attributes, ['alt'])[0] ?? ''
  return ''
}

/** Decodes all entities, such as those of accents. */
const plain = (text: string): string => decodeAllEntities(text).replace(/\s+/g, ' ').trim()

const labelsOf = (attributes: Attributes, names: readonly string[]): string[] =>
  names.map((name) => plain(attributes.get(name) ?? ''))

const namesOf = (attributes: Attributes, names: readonly string[]): string[] =>
  names.flatMap((name) => (attributes.get(name) ?? '').split(/\s+/))

/** Returns the names of the icons in a short source: classes, drawings that are used, files. */
const iconsOf = (content: string): string[] =>
  [...readTags(content, ICONS)].flatMap(({ attributes }) => [
    ...namesOf(attributes, ICON_NAMES),
    ...namesOf(attributes, ICON_FILES).map(
      (file) =>
        file
          .split(/[#/]/)
          .at(-1)
          ?.replace(/\.\w{2,5}$/, '') ?? '',
    ),
  ])

function judgeIcons(names: readonly string[]): UnsafeVerdict | undefined {
  for (const icon of names) {
    const kind = kindOfIcon(icon)
    if (kind) return { kind, evidence: `its icon is \`${icon.slice(0, 40)}\`` }
  }
  return undefined
}
