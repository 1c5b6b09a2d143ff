import { wordsIn } from '../../../base/text/words-in.js'
import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { isHeading } from '../../html/tree.js'

/** Words above or before links to other texts. */
const RELATED =
  /^\W*(?:you (?:might|may) (?:also )?(?:like|enjoy|be interested)|(?:related|recommended|popular|trending)(?: (?:stories|articles|posts|news|reading|content|links|coverage|topics|for you)|:|\W*$)|(?:more|other) (?:stories|articles|posts|news|from|like this|for you|on this)|(?:read|watch) (?:more|next|also|this)|up next|next (?:story|article|post)|don['’]t miss|see more|mehr (?:zum thema|artikel|nachrichten|aus)|das könnte (?:sie|dich)|(?:lesen sie|lies) (?:auch|mehr|hier)|auch interessant|weitere (?:artikel|beiträge|meldungen|themen)|(?:à )?lire (?:aussi|également)|sur le même (?:sujet|thème)|articles? (?:similaires|liés|connexes)|vous aimerez|te puede interesar|(?:noticias|artículos) relacionad[ao]s|(?:lee|lea) también|(?:ti )?potrebbe(?:ro)? (?:interessar|piacer)|leggi anche|articoli correlati|lei?a (?:também|mais)|lees ook|l[æeä]s (?:også|också|mer)|lue myös|czytaj (?:także|też|również)|zobacz (?:także|też)|čtěte také|читайте (?:также|ещё)|関連記事|あわせて読みたい|相关(?:阅读|文章|新闻)|推荐阅读|延伸阅读|延伸閱讀|相關(?:閱讀|文章|新聞)|관련 ?기사)/i

/** Minimum share of links in a line that leads to another text, and maximum characters of what is none. */
const MIN_LINK_SHARE = 0.5
const MAX_LEAD_IN = 40
const MAX_LINE = 250
/** Minimum links to other texts below a heading, and maximum characters of the heading. */
const MIN_TITLES = 2
const MAX_HEADING = 60
/** Minimum sentences of the text before what leads to others. */
const MIN_PROSE = 2

/**
 * Finds what leads from an article to others within it: lines such as `Read more: …` with a link, and lists of other texts below a heading
 * that says so, to the end of the element around both.
 */
export function findLinksToOthers({ blocks }: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const found: Block[] = []
  let prose = 0
  for (const block of blocks) {
    if (block.isProse && kept.has(block)) prose += 1
    if (!kept.has(block) || block.text.length > MAX_LINE || !RELATED.test(block.text)) continue
    const { text, link, region } = block
    if (link >= MIN_LINK_SHARE * text.length && text.length - link <= MAX_LEAD_IN) found.push(block)
    else if (prose >= MIN_PROSE && link === 0 && text.length <= MAX_HEADING && isHeading(region.element))
      found.push(...listBelow(block, blocks))
  }
  return found
}

/** Returns a heading with the texts below it in the same element, if these have linked titles. The text may go on after them. */
function listBelow(heading: Block, blocks: readonly Block[]): Block[] {
  const around = heading.region.parent
  if (around === undefined) return []
  const list = [heading]
  let titles = 0
  for (let at = heading.at + 1; at < blocks.length;) {
    const card = topIn(around, blocks[at])
    if (card === undefined) break
    const own = [blocks[at]].filter((block) => block !== undefined)
    for (at += 1; topIn(around, blocks[at]) === card; at += 1) own.push(...blocks.slice(at, at + 1))
    const linked = own.filter(({ text, link }) => link >= MIN_LINK_SHARE * text.length).length
    if (linked === 0 && own.some(({ isProse, region }) => isProse || isHeading(region.element))) break
    if (isText(own)) break
    titles += linked
    list.push(...own)
  }
  return titles >= MIN_TITLES ? list : []
}

/** Maximum length of a card with a title and a summary, and minimum share of links in a longer one. Characters. */
const MAX_CARD = 400
const MIN_CARD_LINKS = 0.3

/** True for blocks that are no card: a recipe or another part of the text, in which some words are links. */
function isText(blocks: readonly Block[]): boolean {
  const length = blocks.reduce((sum, { text }) => sum + text.length, 0)
  return length > MAX_CARD && blocks.reduce((sum, { link }) => sum + link, 0) < MIN_CARD_LINKS * length
}

/** Returns the child of a region that holds a block. */
function topIn(around: Region, block: Block | undefined): Region | undefined {
  let at = block?.region
  while (at !== undefined && at.parent !== around) at = at.parent
  return at
}

const ARTICLE = /\/(?:\w*Article|BlogPosting)\/?\s*$/

/** Minimum sentences of an article that another follows. */
const MIN_ARTICLE_PROSE = 3

/**
 * Finds the articles after that with the title of the page, which pages without an end put below it. Each has a headline, and its own
 * type, author or date, link to itself, place on the page, or heading of the first level, so that it is no section of the first.
 */
export function findNextStories({ blocks, regions }: TextBlocks, kept: ReadonlySet<Block>, title = ''): Block[] {
  const articles = regions.filter(isOuterArticle)
  if (articles.length < 2) return []
  const within = (region: Region): Block[] => blocks.filter((block) => isWithin(block.region, region))
  const words = spell(title)
  const isNamed = (block: Block): boolean =>
    isInHeading(block, 'h1') && block.words > 1 && words.includes(spell(block.text))
  const first = articles.findIndex((region) => within(region).some(isNamed))
  const main = articles[first]
  if (main === undefined || within(main).filter((block) => block.isProse && kept.has(block)).length < MIN_ARTICLE_PROSE)
    return []
  return articles.slice(first + 1).flatMap((region) => {
    const own = within(region)
    const headline = own.slice(0, MAX_BEFORE_HEADLINE).find((block) => isInHeading(block, 'h1', 'h2', 'h3'))
    if (headline === undefined || words.includes(spell(headline.text)) || !own.some((block) => kept.has(block)))
      return []
    const isOther =
      ARTICLE.test(region.element.attribs['itemtype'] ?? '') ||
      region.parent !== main.parent ||
      headline.link > 0 ||
      isInHeading(headline, 'h1') ||
      own.slice(0, MAX_BEFORE_HEADLINE).some(({ inner }) => inner.name === 'time' || inner.attribs['rel'] === 'author')
    return isOther ? own : []
  })
}

/** Maximum blocks of an article to its headline, author and date. */
const MAX_BEFORE_HEADLINE = 6

const isArticle = ({ element: { name, attribs }, prose }: Region): boolean =>
  prose > 0 && (name === 'article' || ARTICLE.test(attribs['itemtype'] ?? ''))

function isOuterArticle(region: Region): boolean {
  if (!isArticle(region)) return false
  for (let at = region.parent; at !== undefined; at = at.parent) if (isArticle(at)) return false
  return true
}

const isInHeading = ({ region: { element, parent } }: Block, ...names: string[]): boolean =>
  names.includes(element.name) || names.includes(parent?.element.name ?? '')

/** Returns the words of a text with a space around each. */
const spell = (text: string): string => ` ${wordsIn(text).join(' ')} `
