import { onceFor } from '../../../base/collections/once-for.js'
import type { Element } from '../../html/tree.js'
import { wordsOf } from '../blocks/name-words.js'

/** Kinds of boilerplate that an element's markup can declare. */
export type Boilerplate =
  | 'navigation'
  | 'header'
  | 'footer'
  | 'aside'
  | 'dialog'
  /** Sharing, advertising and further reading. */
  | 'extra'
  /** Parts around an article: galleries, tags, author boxes. */
  | 'teaser'
  /** Parts around a forum post: signatures, badges, counters. */
  | 'poster'
  | 'comments'
  | 'control'

const ROLES: ReadonlyMap<string, Boilerplate> = new Map(
  Object.entries({
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
  } as const),
)

const TAGS: ReadonlyMap<string, Boilerplate> = new Map(
  Object.entries({
    nav: 'navigation',
    footer: 'footer',
    aside: 'aside',
    header: 'header',
    dialog: 'dialog',
    search: 'control',
    button: 'control',
    select: 'control',
    textarea: 'control',
  } as const),
)

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

const namesComments = (word: string): boolean =>
  word.startsWith('comment') || word.startsWith('kommentar') || word.startsWith('comentario')

/** Notes on the text: footnotes, and admonitions of documentation. */
const REMARK =
  /(?:^|[\s_-])(?:foot-?notes?|end-?notes?|note|topic|admonition|callout|tip|hint|important|caution|warning|danger|doc-footnote)(?:$|[\s_-])/

/** Returns the kind of boilerplate by the element's tag and role. */
export function boilerplateByTag({ name, attribs }: Element): Boilerplate | undefined {
  const { role } = attribs
  if (name === 'aside' && REMARK.test(`${role ?? ''} ${attribs['class'] ?? ''}`)) return undefined
  return (role === undefined ? undefined : ROLES.get(role)) ?? TAGS.get(name)
}

/**
 * Elements whose class names describe the subject of the text: a heading `#cookies`, a table row of an interface, a
 * `comment` in a listing.
 */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 dt tr td th pre code span em strong b i p'.split(' '),
)

/** Returns the kind of boilerplate by the element's tag, role, class names and id. */
export function boilerplateKind(element: Element): Boilerplate | undefined {
  const named = boilerplateByTag(element)
  if (named !== undefined || TEXT_ELEMENTS.has(element.name)) return named
  const kind = kindByWords(wordsOf(element))
  if (element.attribs['id'] === 'comments') return 'comments'
  return kind === 'none' ? undefined : kind
}

/** Returns the kind by the list of words, which is the same for equal names. */
const kindByWords = onceFor((words: readonly string[]): Boilerplate | 'none' => {
  if (words.some(namesComments)) return 'comments'
  for (const word of words) {
    const kind = WORDS.get(word)
    if (kind !== undefined) return kind
  }
  return 'none'
})
