import type { Element } from '../../html/tree.js'
import { wordsOf } from '../blocks/name-words.js'
import { ownValue } from '../../collections/own-value.js'

/** What an element can say of itself that makes it no main content. */
export type Boilerplate =
  | 'navigation'
  | 'header'
  | 'footer'
  | 'aside'
  | 'dialog'
  /** Sharing, advertising, what else there is to read. */
  | 'extra'
  /** What stands around an article: galleries, tags, about the author. */
  | 'teaser'
  /** What stands around a post: signatures, badges, counters. */
  | 'poster'
  | 'comments'
  | 'control'

const ROLES: Readonly<Record<string, Boilerplate>> = {
  navigation: 'navigation',
  menu: 'navigation',
  menubar: 'navigation',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  dialog: 'dialog',
  alertdialog: 'dialog',
  tooltip: 'dialog',
  search: 'control',
  toolbar: 'control',
  tablist: 'control',
}

const TAGS: Readonly<Record<string, Boilerplate>> = {
  nav: 'navigation',
  footer: 'footer',
  aside: 'aside',
  header: 'header',
  dialog: 'dialog',
  search: 'control',
  button: 'control',
  select: 'control',
  textarea: 'control',
}

const WORDS: ReadonlyMap<string, Boilerplate> = new Map(
  Object.entries({
    navigation:
      'nav navbar navigation navi menu submenu megamenu breadcrumb breadcrumbs pagination pager pagenav skip skiplink toc',
    footer: 'footer colophon copyright',
    aside: 'sidebar sidenav',
    dialog: 'cookie cookies consent gdpr modal popup lightbox overlay tooltip onetrust offcanvas drawer',
    extra:
      'share shares sharing sharebar sharethis addthis addtoany social socials related recommended recommendation ' +
      'recommendations recirc promo promotion newsletter subscribe subscription signup optin advert advertisement ' +
      'advertising ad ads adsense sponsor sponsored outbrain taboola trending popular',
    teaser:
      'gallery galleries slideshow carousel swiper breaking latest mostread readmore morefrom bio authorbox tags taglist ' +
      'tagcloud linkback paywall',
    poster:
      'signature extras pairs notice notices flair reputation badge badges badgecount awards jumpbox similar suggested ' +
      'postprofile userinfo userdetails usertitle',
    comments: 'disqus respond',
  } as const).flatMap(([kind, words]) =>
    words.split(' ').map((word): [string, Boilerplate] => [word, kind as Boilerplate]),
  ),
)

const COMMENTS = /^(?:comment|kommentar|commentaire|comentario)/

/** Remarks on the text: footnotes, and what documentation sets off. */
const REMARK = /(?:^|[\s_-])(?:foot-?notes?|end-?notes?|note|topic|admonition|doc-footnote)(?:$|[\s_-])/

/** What the element's tag and role say. */
export function boilerplateByName({ name, attribs }: Element): Boilerplate | undefined {
  const role = attribs['role'] ?? ''
  if (name === 'aside' && REMARK.test(`${role} ${attribs['class'] ?? ''}`)) return undefined
  return ownValue(ROLES, role) ?? ownValue(TAGS, name)
}

/** Their names say what the text is about: a heading `#cookies`, a row of an interface, a `comment` in a listing. */
const SUBJECTS: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 dt tr td th pre code span em strong b i p'.split(' '))

/** What the element's tag, role, class names and id say. */
export function boilerplateKind(element: Element): Boilerplate | undefined {
  const named = boilerplateByName(element)
  if (named !== undefined || SUBJECTS.has(element.name)) return named
  const words = wordsOf(element)
  if (words.some((word) => COMMENTS.test(word)) || element.attribs['id'] === 'comments') return 'comments'
  for (const word of words) {
    const kind = WORDS.get(word)
    if (kind !== undefined) return kind
  }
  return undefined
}
