import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Maximum characters of a box with an offer, and its maximum share of the kept text. A longer one is the content. */
const MAX_LENGTH = 1500
const MAX_SHARE = 0.35

/** Words of a site that sells subscriptions, or asks for money or for an address to write to. */
const OFFER =
  /\b(?:subscribe (?:now|today|to (?:read|continue|get|our|unlock))|(?:sign|log) in (?:or (?:create|register|subscribe)|to continue)|create an (?:free )?account or sign in|register (?:for free )?to (?:continue|keep) reading|unlimited (?:digital |online )?access|cancel (?:at )?any ?time|small favou?r|chip in (?:\$|€|£)?\d|tax-deductible|(?:support|fund) (?:our|local|independent) (?:journalis[mt]|news|report)|(?:make|consider) (?:a|your) (?:donation|contribution|gift)|delivered (?:straight |directly )?to your inbox|in your inbox|sign up (?:for|to) (?:our|the|get|receive)|jederzeit kündbar|jetzt (?:weiterlesen|abonnieren|testen|anmelden)|(?:im abo|mit .{1,20} abo) (?:lesen|weiterlesen)|newsletter (?:abonnieren|bestellen)|abonnez-vous|déjà abonné|sans engagement|soutenez(?:-nous)?|faites un don|suscríbete|hazte (?:socio|suscriptor)|iscriviti alla|abbonati|assine (?:já|agora)|neem een abonnement|prenumerera)/i

/** Like {@link OFFER}, as a command at the beginning of a text. */
const COMMAND =
  /^\W*(?:subscribe|sign up|register|donate|support|join|become a|get (?:the|our|unlimited)|create an|jetzt|abonnieren|testen|abonnez|inscrivez|soutenez|suscríbete|apúntate|iscriviti|abbonati|assine|a small favou?r|we have a small|help (?:us|keep)|please (?:consider|support|donate)|if you (?:value|enjoy|like))/i

/** A link or button that takes the offer. */
const ACTION =
  /^\W*(?:subscribe|sign (?:up|in)|log in|register|donate|support us|join|give (?:now|today)|make a (?:gift|donation)|contribute|continue|get started|jetzt|abonnieren|anmelden|s'abonner|je m'abonne|suscr|iscri|abbonati|assin)/i
const MAX_ACTION = 40

/**
 * Finds the offers to subscribe, to give money or to get letters that stand among the paragraphs of an article: the element around a text that
 * makes such an offer, if it begins as a command or has what takes the offer. Their sentences read like those of the article.
 */
export function findOffers({ blocks, body }: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const offering = [...kept].filter(({ text }) => OFFER.test(text))
  if (offering.length === 0) return []
  const all = [...kept].reduce((sum, { text }) => sum + text.length, 0)
  const most = Math.min(MAX_LENGTH, MAX_SHARE * all)
  const boxes = new Set(offering.map((block) => boxAround(block, most, body)).filter((box) => box !== undefined))
  const found = new Set<Block>()
  for (const box of boxes) {
    const inside = blocks.filter(({ region }) => isWithin(region, box))
    const makesOffer = inside.some(({ text }) => OFFER.test(text) && COMMAND.test(text))
    const hasAction = inside.some(
      ({ text, inner, region, link }) =>
        text.length <= MAX_ACTION &&
        (link > 0 || inner.name === 'button' || region.element.name === 'button') &&
        ACTION.test(text),
    )
    if (makesOffer || hasAction) for (const block of inside) found.add(block)
  }
  const dropped = [...found].reduce((sum, block) => sum + (kept.has(block) ? block.text.length : 0), 0)
  return dropped <= MAX_SHARE * all ? [...found] : []
}

/** Elements around lines of the text itself. */
const LINES: ReadonlySet<string> = new Set(
  'p li ul ol h1 h2 h3 h4 h5 h6 blockquote td th tr tbody table figure span'.split(' '),
)

/** Maximum characters that an element adds to an offer in it: a title, a button. */
const MAX_ADDED = 200

/** Returns the element around a block that is short enough for an offer, with little else; undefined for a line of the text. */
function boxAround({ region }: Block, most: number, body: Region): Region | undefined {
  let box: Region | undefined
  for (let at: Region | undefined = region; at !== undefined && at !== body && at.text <= most; at = at.parent)
    if (box !== undefined && at.text > box.text + MAX_ADDED) return box
    else if (!LINES.has(at.element.name)) box = at
  return box
}
