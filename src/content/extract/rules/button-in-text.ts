import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  hasText,
  isElement,
  isText,
  parentElement,
  textOf,
} from '../../html/tree.js'

/**
 * True for a button whose label is a part of the text: the question above a collapsed answer, the name of a column that
 * sorts the rows, words of a sentence.
 */
export const isPartOfText = (button: Element): boolean =>
  button.attribs['aria-controls'] !== undefined ||
  isInHeading(button) ||
  // Words first: of many buttons without any, each would search all others for text.
  (isWords(button, TABLE_COMMAND) ? isColumnName(button) : isWords(button, SEVERAL_WORDS) && isAmongNames(button)) ||
  (isInSentence(button) && isWords(button, COMMAND)) ||
  isQuestion(button) ||
  isItem(button)

/** True for a button whose label is a command of a few words, and no value such as `Order 1234`. */
export const isCommand = (button: Element): boolean => isCommandLabel(collapse(textOf(button)))

/** The same for the label, in which white space is collapsed. */
export const isCommandLabel = (label: string): boolean =>
  COMMAND.test(label) && /^[^\s\d@]+(?:\s[^\s\d@]+){0,2}$/u.test(label)

function isInHeading({ parent }: Element): boolean {
  return parent !== null && isElement(parent) && /^(?:h[1-6]|dt|summary)$/.test(parent.name)
}

/** Maximum elements between a button and the header cell that it names. */
const MAX_WRAPPERS = 4

/** True for the only text of a header cell. Beside a name, a button is a command on the column. */
function isColumnName(button: Element): boolean {
  let at = button
  for (let left = MAX_WRAPPERS; left >= 0 && !hasTextBeside(at); left -= 1) {
    const parent = parentElement(at)
    if (parent === undefined || parent.name === 'th') return parent !== undefined
    at = parent
  }
  return false
}

/** Header cells on each side of a button that are searched for names. */
const MAX_CELLS = 4

/** True for the name of a column, such as `Filter`, whose row has other columns with names that are buttons. */
function isAmongNames(button: Element): boolean {
  if (!isColumnName(button)) return false
  const cell = findCell(button)
  return cell !== undefined && (['prev', 'next'] as const).some((side) => hasName(cell, side))
}

function findCell(button: Element): Element | undefined {
  let at = parentElement(button)
  for (let left = MAX_WRAPPERS; left > 0 && at !== undefined && at.name !== 'th'; left -= 1) at = parentElement(at)
  return at
}

function hasName(cell: Element, side: 'prev' | 'next'): boolean {
  let left = MAX_CELLS
  for (let at = cell[side]; at !== null && left > 0; at = at[side]) {
    if (!isElement(at)) continue
    left -= 1
    const button = at.name === 'th' ? findElement(at, ({ name }) => name === 'button') : undefined
    if (button !== undefined && isWords(button, TABLE_COMMAND) && isColumnName(button)) return true
  }
  return false
}

/** Searches outwards, so that each of many buttons in a cell stops at the next one. */
function hasTextBeside(element: Element): boolean {
  for (const side of ['prev', 'next'] as const)
    for (let at = element[side]; at !== null; at = at[side]) if (holdsText(at)) return true
  return false
}

const holdsText = (node: ChildNode): boolean =>
  isText(node) ? node.data.trim() !== '' : isElement(node) && hasText(node)

/** True for a button in running text: `said professor <button>Ann Lee</button>, the head of`. */
function isInSentence({ prev, next }: Element): boolean {
  if (prev === null || next === null || !isText(prev) || !isText(next)) return false
  const before = prev.data.slice(-MAX_BESIDE)
  const after = next.data.slice(0, MAX_BESIDE)
  return LEADS_ON.test(before) && GOES_ON.test(after) && before.trim().length + after.trim().length >= MIN_BESIDE
}

/** Elements that a question opens. */
const ANSWERS: ReadonlySet<string> = new Set('div section p ul ol dl dd article'.split(' '))
/** Maximum siblings on each side that are searched for another question. */
const MAX_QUESTIONS = 4

/**
 * True for a label of several words right before the block that it opens, one of several. It is the question of the answer: the
 * page's script finds the block by its place, so that no attribute names it.
 */
function isQuestion(button: Element): boolean {
  const label = collapse(textOf(button))
  const isName = SEVERAL_WORDS.test(label) || QUESTION.test(label) || ACCORDION.test(button.attribs['class'] ?? '')
  if (!isName || !isWords(button, COMMAND)) return false
  let at = button
  for (let left = MAX_WRAPPERS; left > 0 && !hasAnswer(at, label); left -= 1) {
    const parent = parentElement(at)
    if (parent === undefined || hasTextBeside(at)) return false
    at = parent
  }
  if (!hasAnswer(at, label)) return false
  const isFirst = textBefore(at) === undefined
  return (['prev', 'next'] as const).some((side) => hasQuestion(at, side, isFirst))
}

/** Class names of buttons that open the block after them, whose labels may be single words: `Shipping`, `Returns`. */
const ACCORDION = /accordion|collapsible/i

/** Amounts and ends of sentences, which are in the items of recipes and hardly ever in commands. */
const AMOUNT = /^[\d½⅓⅔¼¾⅛]\S*\s+\p{L}/u
const SENTENCE = /\s.*[.!。]$/su

/**
 * True for all the text of an item that says an amount or a sentence, beside another such item: an ingredient or a step that a click
 * ticks off.
 */
function isItem(button: Element): boolean {
  const { parent } = button
  if (parent === null || !isElement(parent) || parent.name !== 'li' || hasTextBeside(button)) return false
  const says = (one: Element): boolean => {
    const label = collapse(textOf(one))
    return (AMOUNT.test(label) || SENTENCE.test(label)) && isWords(one, COMMAND)
  }
  if (!says(button)) return false
  return (['prev', 'next'] as const).some((side) => {
    const other = elementBeside(parent, side)?.children.find(isElement)
    return other?.name === 'button' && says(other)
  })
}

/** True if the next element is a block with more text than the label. The answer to a question may be a word. */
function hasAnswer(at: Element, label: string): boolean {
  const answer = elementBeside(at, 'next')
  if (answer === undefined || !ANSWERS.has(answer.name)) return false
  return collapse(textOf(answer)).length > (QUESTION.test(label) ? 0 : label.length)
}

const QUESTION = /[?？]$/

/** Tests for a like element on one side: beside the question and its answer, or in a sibling of the element around both. */
function hasQuestion(at: Element, side: 'prev' | 'next', isFirst: boolean): boolean {
  const parent = parentElement(at)
  const isLike = (one: Element | undefined, like: Element): boolean =>
    one !== undefined && one.name === like.name && one.attribs['class'] === like.attribs['class']
  for (const start of isFirst && parent !== undefined ? [at, parent] : [at]) {
    let beside = elementBeside(start, side)
    for (let left = MAX_QUESTIONS; left > 0 && beside !== undefined; left -= 1) {
      if (isLike(beside, start) && (start === at || isLike(beside.children.find(isElement), at))) return true
      beside = elementBeside(beside, side)
    }
  }
  return false
}

function elementBeside(element: Element, side: 'prev' | 'next'): Element | undefined {
  let at = element[side]
  while (at !== null && !isElement(at)) {
    if (isText(at) && at.data.trim() !== '') return undefined
    at = at[side]
  }
  return at ?? undefined
}

function textBefore(element: Element): ChildNode | undefined {
  for (let at = element.prev; at !== null; at = at.prev) if (holdsText(at)) return at
  return undefined
}

/** Maximum characters that are looked at on each side of a button, and minimum ones on both that make a sentence. */
const MAX_BESIDE = 80
const MIN_BESIDE = 15

/** Texts that a word follows. After a number mostly comes a counter with its command: `23 points <button>reply</button>`. */
const LEADS_ON = /(?:\p{L}[,;，、；]?\s*|[(“«（「])$/u

/** Texts that continue a sentence. One that begins with a capital or a number stands for itself. */
const GOES_ON = /^(?:\s+[\p{Ll}\p{Lo}]|\s*[.,;:)”»。，、；：）」]|['’]|\p{Lo})/u

/** True for a label in words that is no command, no name of a sign in an icon font and no text for screen readers. */
function isWords(button: Element, command: RegExp): boolean {
  const label = collapse(textOf(button))
  if (!/\p{L}{2}|\p{Lo}/u.test(label) || command.test(label)) return false
  return !isUnseen(button) && findElement(button, isUnseen) === undefined
}

const isUnseen = (element: Element): boolean => UNSEEN_NAME.test(`${element.name} ${element.attribs['class'] ?? ''}`)

const UNSEEN_NAME =
  /(?:^|\s)(?:mat-icon|google-symbols|material-(?:icons|symbols)|sr-?only|(?:visually-?)?hidden|screen-?reader)/i

/** First words of commands in header cells, where most words of the other list are names: "Email", "Order". */
const TABLE_COMMAND =
  /^[^\p{L}\p{N}]*(?:add|buy|choose|clear|collapse|compare|copy|customi[sz]e|edit|expand|filter|get|hide|learn|less|more|read|reset|search|see|select|show|sign|sort|subscribe|toggle|try)(?![\p{L}\p{N}])/iu

/** Labels that are no single word. A command on all rows, such as `Select all`, has several. */
const SEVERAL_WORDS = /\s/u

/** First words of the commands that pages have in their texts. */
const COMMAND =
  /^(?:[^\p{L}\p{N}]*(?:accept|add|agree|allow|ask|back|bookmark|buy|cancel|cite|click|close|collapse|compare|contact|continue|copy|deny|details|dislike|dismiss|download|edit|email|enlarge|expand|favou?rite|filter|flag|follow|full ?screen|get|hide|highlight|info|join|learn|less|like|listen|load|log|menu|more|mute|next|no|ok|open|order|pause|play|prev(?:ious)?|print|quote|read|register|reject|remove|reply|report|reset|save|search|see|select|send|share|show|sign|skip|sort|start|stop|submit|subscribe|toggle|translate|try|tweet|undo|unfollow|upvote|view|vote|watch|yes|zoom|anzeigen|folgen|mehr|schließen|teilen|weiter(?:lesen)?|afficher|lire|partager|plus|suivre|voir|compartir|leer|más|seguir|ver|condividi|leggi|segui)(?![\p{L}\p{N}])|[^\p{L}]*(?:更多|展开|展開|收起|分享|关注|關注|复制|複製|阅读|閱讀|もっと|続き|シェア|フォロー|더보기|공유))/iu
