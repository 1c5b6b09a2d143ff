import { type Element, findElement, isElement, walk } from '../../html/tree.js'
import { type Boilerplate, boilerplateByName, boilerplateKind } from './boilerplate.js'
import type { Holding } from './measure.js'
import type { PageKind } from '../blocks/page-kind.js'

/** How much of the page's prose an element of this kind may hold and still be dropped. */
const MAX_PROSE: Readonly<Record<Boilerplate, number>> = {
  navigation: 0.5,
  header: 0.1,
  footer: 0.5,
  aside: 0.4,
  dialog: 0.9,
  extra: 0.4,
  teaser: 0.3,
  poster: 0.2,
  comments: 0.5,
  control: 0.3,
}

/** Less prose than this is too little to be worth the doubt. Characters. */
const LITTLE_PROSE = 200

/** What is boilerplate on one kind of page only. */
const ONLY_ON: Partial<Record<Boilerplate, PageKind>> = { teaser: 'article', poster: 'discussion' }

/**
 * The outermost elements that are no main content by what their mark-up says of them.
 *
 * @param signs whether class names and ids count, or tags and roles alone
 */
export function findBoilerplate(
  body: Element,
  isCleared: (element: Element) => boolean,
  held: Holding,
  page: PageKind,
  signs: 'by all signs' | 'by name',
): Set<Element> {
  const dropped = new Set<Element>()
  walk(body, (node) => {
    if (!isElement(node) || isCleared(node)) return false
    const kind = signs === 'by name' ? boilerplateByName(node) : boilerplateKind(node)
    if (kind === undefined || isContent(node, kind, held, body, page)) return true
    dropped.add(node)
    return false
  })
  return dropped
}

/** Whether it is content, whatever its mark-up says. */
function isContent(element: Element, kind: Boilerplate, held: Holding, body: Element, page: PageKind): boolean {
  const own = held(element)
  const all = held(body)
  if (kind === 'comments' && page === 'discussion') return true
  if ((ONLY_ON[kind] ?? page) !== page) return true
  const most = kind === 'comments' && page === 'article' ? 0.85 : MAX_PROSE[kind]
  if (own.prose > most * all.prose && own.prose > LITTLE_PROSE) return true
  switch (kind) {
    case 'navigation':
      return element.name !== 'nav' && own.prose > 0.5 * own.text && own.link < 0.3 * own.text
    case 'header':
      return own.prose >= LITTLE_PROSE || holds(element, ['h1'])
    case 'comments':
      return holds(element, ['h1'])
    case 'dialog':
      return holds(element, ['main', 'article', 'pre'])
    case 'extra':
      return (page !== 'article' && own.text > 0.35 * all.text) || holds(element, ['pre', 'th'])
    case 'control':
      // The question of a folded answer is a button.
      return element.name === 'button' && (element.attribs['aria-controls'] !== undefined || isInHeading(element))
    case 'teaser':
    case 'poster':
      return holds(element, ['pre'])
    default:
      return false
  }
}

const holds = (element: Element, names: readonly string[]): boolean =>
  findElement(element, ({ name }) => names.includes(name)) !== undefined

function isInHeading({ parent }: Element): boolean {
  return parent !== null && isElement(parent) && /^(?:h[1-6]|dt|summary)$/.test(parent.name)
}
